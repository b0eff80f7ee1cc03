// SPDX-License-Identifier: MIT

/// How far a context is with a save.
enum SaveStage {
  /// The context is not saving.
  case none
  /// The parent has not accepted the save.
  case open
  /// The parent has accepted the save.
  case accepted
}
