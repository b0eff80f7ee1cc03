// SPDX-License-Identifier: MIT
import SporadesChain

/// Where `save()` puts the changes of a context.
enum SavePlace {
  /// Into the parent.
  case parent
  /// Into the write whose block is running.
  case write(RootContext)
  /// Nowhere: the block of a read is running.
  case refused
}
