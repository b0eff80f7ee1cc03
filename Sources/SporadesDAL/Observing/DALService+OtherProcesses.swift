// SPDX-License-Identifier: MIT
public import SporadesChain
import SporadesGraph

extension DALService {
  /// The commits of other processes to the service's stores from now on. Reads that begin after a change show its rows.
  /// The sequence ends with the service.
  public var remoteChanges: NotificationSequence<RemoteChange> {
    get throws(DALError) {
      do { return try stack(for: .read).remoteChanges } catch {
        throw reportHere(DALError(error, during: .read))
      }
    }
  }
}
