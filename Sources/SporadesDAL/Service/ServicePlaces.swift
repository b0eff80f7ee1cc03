// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel
import SporadesStore

/// The files that services of the process have open, in debug builds.
enum ServicePlaces {
  private struct Place: Sendable {
    /// Whether writes return before they are committed.
    let isEventual: Bool
    /// Whether the file has left the path.
    let isLost: @Sendable () -> Bool
  }

  /// By path, then by service.
  private static let services = Guarded<[String: [ObjectIdentifier: Place]]>([:])
  private static let hint = Hint(
    " is open in two services of this process. A write of one is seen by the other when it is committed, moments after its "
      + "return, unless it is .immediate. Use one service for both.")

  /// Notes that a service has the file open. Hints at another one that has it open, too.
  static func note(_ path: String, of service: DALService, _ store: any PersistentStore) {
    let place = Place(
      isEventual: service.options.durability == .eventual,
      isLost: { [weak store] in (store as? any SharedStore)?.lostPlace != nil })
    let known = services.withLock { services in
      services[path, default: [:]][ObjectIdentifier(service)] = place
      return services[path] ?? [:]
    }
    let here = known.values.filter { !$0.isLost() }
    if here.count > 1, here.contains(where: \.isEventual) { hint.give(about: path) }
  }

  /// Notes that a service has closed the file, or ends.
  static func forget(_ path: String, of service: DALService) {
    services.withLock { services in
      services[path]?[ObjectIdentifier(service)] = nil
      if services[path]?.isEmpty == true { services[path] = nil }
    }
  }
}
