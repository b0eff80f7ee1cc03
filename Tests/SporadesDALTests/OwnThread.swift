// SPDX-License-Identifier: MIT
import Dispatch

/// Runs a body that may block, while the test's task waits and no thread of tasks does.
func onOwnThread(_ body: @escaping @Sendable () -> Void) async {
  await withCheckedContinuation { continuation in
    DispatchQueue(label: "test").async {
      body()
      continuation.resume()
    }
  }
}
