// SPDX-License-Identifier: MIT

// Apple's platforms have the framework CoreData. This module stands in its place, so that one manifest fits all platforms.
