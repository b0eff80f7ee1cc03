// SPDX-License-Identifier: MIT
import Foundation
import SporadesMissingFoundation
import SporadesModel
import Testing

/// Mistakes of programs, which end them with a sentence.
@Suite struct TrapTests {
  private func expect(_ sentence: String, in result: ExitTest.Result?) {
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains(sentence), "\(text.prefix(600))")
  }

  @Test func aFormatWithAMistakeEndsTheProgram() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = NSPredicate(format: "name = = 'x'")
    }
    expect("The predicate's format, after 5 characters:", in: result)
  }

  @Test func aMissingArgumentEndsTheProgram() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = NSPredicate(format: "name == %@")
    }
    expect("This placeholder has no argument; the number of arguments is 0.", in: result)
  }

  @Test func anUnknownNameEndsTheProgram() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = NSPredicate(format: "size == 3").evaluate(with: Person.ann)
    }
    expect("An object of the type Person has no stored property named size.", in: result)
  }

  @Test func aVariableWithoutAValueEndsTheProgram() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = NSPredicate(format: "age == $AGE").evaluate(with: Person.ann)
    }
    expect("NSPredicate age == $AGE: ", in: result)
    expect("AGE", in: result)
  }

  @Test func anUnknownMethodOfTextsEndsTheProgram() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = NSSortDescriptor(key: "name", ascending: true, selector: Selector("compareByLuck:"))
    }
    expect("NSSortDescriptor(selector: compareByLuck:) is unknown here.", in: result)
  }

  @Test func valuesWithoutAnOrderEndTheProgram() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let byFriend = NSSortDescriptor(key: "boss", ascending: true)
      _ = [Person.ann, Person.ann].map { byFriend.compare($0, to: $0) }
    }
    expect(
      "A sort descriptor has no order for a Person and a Person. Pass a comparator.", in: result)
  }

  @Test func anActionOutsideOfAGroupEndsTheProgram() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let manager = UndoManager()
      manager.groupsByEvent = false
      manager.registerUndo(withTarget: manager) { _ in }
    }
    expect("An action was registered outside of a group.", in: result)
  }

  @Test func closingTooManyGroupsEndsTheProgram() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      UndoManager().endUndoGrouping()
    }
    expect("endUndoGrouping() was called without beginUndoGrouping().", in: result)
  }

  @Test func aTransformerOfOneDirectionEndsTheProgram() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = ValueTransformer(forName: .isNilTransformerName)?.reverseTransformedValue(1)
    }
    expect("PresenceTransformer transforms in one direction only", in: result)
  }
}
