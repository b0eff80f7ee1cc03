// SPDX-License-Identifier: MIT
import CImageTypes
import SporadesGraph

/// The parts of the object that the calling thread is making, beside the call of its initializer: Core Data's initializer has no
/// place for them.
enum WaitingSeed {
  /// Runs `make` while the seed waits for the initializer.
  static func with<Made>(_ seed: ObjectSeed, _ make: () -> Made) -> Made {
    unsafe withUnsafePointer(to: seed) { place in
      unsafe sporades_set_waiting_seed(place)
      return make()
    }
  }

  /// The seed that waits. It waits no longer.
  static func take() -> ObjectSeed? {
    guard let place = unsafe sporades_waiting_seed() else { return nil }
    sporades_set_waiting_seed(nil)
    return unsafe place.load(as: ObjectSeed.self)
  }
}
