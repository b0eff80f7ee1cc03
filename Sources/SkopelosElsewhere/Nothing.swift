// SPDX-License-Identifier: MIT

// Apple's platforms take Skopelos from its own package. This module stands in its place, so that one manifest fits all platforms.
