// SPDX-License-Identifier: MIT

/// The sentence of the refused calls, which no program sees, because the compiler ends before.
let refusal = "The compiler refuses this call."
