// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel
import SporadesStore

// The step in which the parent gets the change set.
extension ManagedObjectContext {
  /// Passes the changes to the parent. If the parent refuses them, new objects keep their permanent
  /// ids, and the map finds the objects under these.
  func sendToParent(_ changeSet: ChangeSet) throws(StoreError) -> SaveReceipt {
    let request = request(changeSet)
    guard !changeSet.isEmpty || !request.transients.isEmpty else { return SaveReceipt() }
    do {
      let receipt = try source.accept(request)
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
    request.derivationBasis = hearing.known.ofDerivations
    request.lossBasis = hearing.known.ofLosses
    request.hasLinksToFaults = hasLinksToFaults
    request.durability = owedDurability
    request.sharesCommit = saving.sharesCommit
    request.sender = saving.sender ?? ObjectIdentifier(self)
    if source.comparesBases { request.bases = bases(of: changeSet) }
    for (object, indices) in changes.transients {
      guard !object.isRemoved, !object.key.isTemporary, let values = object.extras?.transients
      else { continue }
      request.transients[object.key] = values.filter { indices.contains($0.key) }
    }
    return request
  }
}
