// SPDX-License-Identifier: MIT

// Who explains requests reads their plans.
@_exported public import SporadesPlans
