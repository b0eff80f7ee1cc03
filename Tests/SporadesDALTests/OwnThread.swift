// SPDX-License-Identifier: MIT
import Dispatch

/// Runs a body that may block on a thread of its own. The test's task is suspended and blocks no thread.
func onOwnThread(_ body: @escaping @Sendable () -> Void) async {
  await withCheckedContinuation { continuation in
    DispatchQueue(label: "test").async {
      body()
      continuation.resume()
    }
  }
}
