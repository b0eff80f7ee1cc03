// SPDX-License-Identifier: MIT
import SporadesChain
import SporadesModel

/// The files that services of the process have open, in debug builds.
enum ServicePlaces {
  /// By path, then by service: whether its writes return before they are committed.
  private static let services = Guarded<[String: [ObjectIdentifier: Bool]]>([:])
  private static let hint = Hint(
    " is open in two services of this process. A write of one is seen by the other when it is committed, moments after its "
      + "return, unless it is .immediate. Use one service for both.")

  /// Notes that a service has the file open. Hints at another one that has it open, too.
  static func note(_ path: String, of service: DALService) {
    let isEventual = service.options.durability == .eventual
    let known = services.withLock { services in
      services[path, default: [:]][ObjectIdentifier(service)] = isEventual
      return services[path] ?? [:]
    }
    if known.count > 1, known.values.contains(true) { hint.give(about: path) }
  }

  /// Notes that a service has closed the file, or ends.
  static func forget(_ path: String, of service: DALService) {
    services.withLock { services in
      services[path]?[ObjectIdentifier(service)] = nil
      if services[path]?.isEmpty == true { services[path] = nil }
    }
  }
}
