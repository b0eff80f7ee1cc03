// SPDX-License-Identifier: MIT
public import SporadesGraph
public import SporadesModel

// Objects stay in their blocks.
extension DALService {
  /// Refuses an observation without values.
  @available(
    *, unavailable,
    message:
      "objects stay in their context, so say what to make of them: observe(request, mapping: { $0.map(\\.name) }), or observe(count: request)"
  )
  public func observe<Object: ManagedObject>(
    _ request: TypedRequest<Object>
  ) -> ObservedValues<[ManagedObjectID]> {
    trap("The compiler refuses this call.")
  }
}
