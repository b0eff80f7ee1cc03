// SPDX-License-Identifier: MIT

// Until the library has its service, the raw side is measured against itself: the ratios then show
// how far two equal programs lie apart on this machine.
#if !canImport(Sporades)
  extension Workload {
    func ours(on path: String, _ watch: inout Stopwatch) throws -> UInt64 {
      try raw(on: path, &watch)
    }
  }
#endif
