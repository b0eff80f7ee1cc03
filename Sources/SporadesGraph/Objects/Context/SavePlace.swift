// SPDX-License-Identifier: MIT
import SporadesChain

/// The place where `save()` puts the changes of a context.
enum SavePlace {
  /// The parent.
  case parent
  /// The write whose block is running.
  case write(RootContext)
  /// No place: the block of a read is running.
  case refused
}
