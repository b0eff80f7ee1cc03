// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel
import SporadesStore

// The step in which the parent gets the change set.
extension ManagedObjectContext {
  /// Passes the changes to the parent. If the parent refuses them, new objects keep their permanent
  /// ids, and the map finds the objects under these.
  func sendToParent(_ changeSet: ChangeSet) throws(StoreError) -> SaveReceipt {
    guard !changeSet.isEmpty else { return SaveReceipt() }
    do {
      let receipt = try source.accept(request(changeSet))
      if let number = receipt.number { lastSave = number }
      if let order = receipt.order { noteAcceptedSave(order) }
      return receipt
    } catch {
      for object in changes.listed where object.isInserted && !object.key.isTemporary {
        register(object)
      }
      throw error
    }
  }

  func request(_ changeSet: ChangeSet) -> SaveRequest {
    var request = SaveRequest(changeSet)
    request.basis = basis
    request.derivationBasis = knownSaves.ofDerivations
    request.lossBasis = knownSaves.ofLosses
    request.hasLinksToFaults = hasLinksToFaults
    request.durability = owedDurability
    request.sender = saveSender ?? ObjectIdentifier(self)
    if source.comparesBases { request.bases = bases(of: changeSet) }
    return request
  }
}
