// SPDX-License-Identifier: MIT
import Dispatch
public import FoundationEssentials
import SporadesChain
import SporadesGraph
import SporadesStore

extension DALService {
  /// Copies the service's store to a file while the service is in use, with the files of its large values.
  ///
  /// The copy is one state of the store. It holds every write that was called before, and perhaps later ones. Reads
  /// and writes go on meanwhile. The file is there when the copy is complete and on the disk, and never in part.
  /// Where the store's own file has been removed or moved, the copy holds what can still be read, and the writes that wait
  /// may be missing.
  ///
  /// With `replacing`, the copy takes the place of a store that nobody has open. Without, the place must be free.
  public func copy(to url: URL, replacing: Bool = false) throws(DALError) {
    requireOutside("copy(to:)")
    do { try copyStore(to: url, replacing) } catch { throw reportHere(error) }
  }

  /// Copies the service's store as the form without `await` does, while the calling task is suspended.
  public func copy(to url: URL, replacing: Bool = false) async throws(DALError) {
    let result: Result<Void, DALError> = await withCheckedContinuation { continuation in
      DispatchQueue(label: "sporades.copy", qos: .userInitiated).async {
        continuation.resume(
          returning: Result { () throws(DALError) in try self.copyStore(to: url, replacing) })
      }
    }
    try result.mapError { reportHere($0) }.get()
  }

  private func copyStore(to url: URL, _ replacing: Bool) throws(DALError) {
    let stack = try stack(for: .copy)
    var commit: Result<Void, StoreError> = .success(())
    // The copy is made of what is committed. Later writes wait for the commit, and not for the copy.
    try gate.passAlone(during: .copy) {
      commit = Result { () throws(StoreError) in try stack.root.commitExecuted() }
    }
    do throws(StoreError) {
      // The rows of a file that has left its place can still be read. The accepted write stays with the service.
      if case .failure(let error) = commit, error.code != .moved { throw error }
      try stack.store.copy(to: url.storePath, replacing: replacing)
    } catch { throw DALError(error, during: .copy) }
  }
}
