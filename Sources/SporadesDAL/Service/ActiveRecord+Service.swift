// SPDX-License-Identifier: MIT
public import SporadesGraph

// A service in the place of a context. The compiler chooses these functions only where no other fits.
extension ActiveRecord {
  /// Refuses a service in the place of a context.
  @available(
    *, unavailable,
    message:
      "a service has no objects of its own; write service.read { context in … all(in: context) }, or try await service.read { try User.all(in: $0).map(\\.name) }"
  )
  public static func all(in service: DALService) -> [Self] {
    trap("The compiler refuses this call.")
  }

  /// Refuses a service in the place of a context.
  @available(
    *, unavailable,
    message:
      "a service has no objects of its own; write service.read { context in … first(in: context) }, or try await service.read { try User.first(in: $0)?.name }"
  )
  public static func first(in service: DALService) -> Self? {
    trap("The compiler refuses this call.")
  }

  /// Refuses a service in the place of a context.
  @available(
    *, unavailable,
    message:
      "a service has no objects of its own; write try service.readValue { try User.count(in: $0) }, or try await service.read { try User.count(in: $0) }"
  )
  public static func count(in service: DALService) -> Int {
    trap("The compiler refuses this call.")
  }

  /// Refuses a service in the place of a context.
  @available(
    *, unavailable,
    message:
      "a service has no objects of its own; write service.writeSync { context in … create(in: context) }"
  )
  public static func create(in service: DALService) -> Self {
    trap("The compiler refuses this call.")
  }
}

extension TypedRequest {
  /// Refuses a service in the place of a context.
  @available(
    *, unavailable,
    message:
      "a service has no objects of its own; write service.read { context in … fetch(in: context) }, or try await service.read { try request.pluck(\\.name, in: $0) }"
  )
  public func fetch(in service: DALService) -> [Object] {
    trap("The compiler refuses this call.")
  }

  /// Refuses a service in the place of a context.
  @available(
    *, unavailable,
    message:
      "a service has no objects of its own; write try service.readValue { try request.count(in: $0) }, or try await service.read { try request.count(in: $0) }"
  )
  public func count(in service: DALService) -> Int {
    trap("The compiler refuses this call.")
  }
}
