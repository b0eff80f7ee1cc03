// SPDX-License-Identifier: MIT
import SporadesModel
import Testing

@testable import SporadesGraph

/// The state of an object, which shares a word with its key.
@Suite struct ObjectStateTests {
  @Test
  func theStateHasTheBitsInWhichAKeyHoldsItsEntity() {
    #expect(ObjectState.mask == RowKey(entity: RowKey.largestEntity, primaryKey: 0).rawValue)
  }

  @Test
  func eachStateHasOneBitOfItsOwnInsideTheRoomOfAKey() {
    var seen: UInt64 = 0
    for state in ObjectState.all {
      #expect(state.rawValue.nonzeroBitCount == 1)
      #expect(state.inKey & ~ObjectState.mask == 0)
      #expect(state.inKey & seen == 0)
      seen |= state.inKey
    }
    #expect(ObjectState.mask & ~seen == 0, "No bit is free.")
  }

  @Test
  func aStateComesBackFromAKeyWordWhateverTheOtherBitsAre() {
    for state in ObjectState.all {
      #expect(ObjectState(inKey: state.inKey) == state)
      #expect(ObjectState(inKey: state.inKey | ~ObjectState.mask) == state)
    }
  }
}
