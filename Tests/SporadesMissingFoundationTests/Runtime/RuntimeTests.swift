// SPDX-License-Identifier: MIT
import Foundation
import SporadesMissingFoundation
import Testing

@Suite struct RuntimeTests {
  private static let name = Notification.Name("RuntimeTests")

  @Test func aPoolCallsItsClosure() throws {
    #expect(autoreleasepool { 3 } == 3)
    #expect(throws: CocoaError.self) {
      try autoreleasepool { throw CocoaError(.fileNoSuchFile) }
    }
  }

  @Test func aPointerToAnObjectIsOneToAnyObject() {
    var object: NSObject? = NSObject()
    let before = object
    unsafe withUnsafeMutablePointer(to: &object) { place in
      let pointer = unsafe AutoreleasingUnsafeMutablePointer<AnyObject?>(place)
      #expect(unsafe pointer.pointee === before)
      unsafe pointer.pointee = nil
    }
    #expect(object == nil)
  }

  @Test func theUnitsOfTimeFit() {
    let second: UInt64 = NSEC_PER_SEC
    #expect(NSEC_PER_MSEC * MSEC_PER_SEC == second && NSEC_PER_USEC * USEC_PER_SEC == second)
  }

  @Test func theTimeIsThatOfDates() {
    let before = Date.timeIntervalSinceReferenceDate
    let now: CFAbsoluteTime = CFAbsoluteTimeGetCurrent()
    #expect(before <= now)
    #expect(now <= Date.timeIntervalSinceReferenceDate)
  }

  @Test func aLoopHearsNotifications() async {
    let center = NotificationCenter()
    let object = NSObject()
    var all = center.notifications(named: Self.name).makeAsyncIterator()
    var some = center.notifications(named: Self.name, object: object).makeAsyncIterator()
    center.post(name: Self.name, object: nil, userInfo: ["n": 1])
    center.post(name: Notification.Name("other"), object: object)
    center.post(name: Self.name, object: object, userInfo: ["n": 2])
    #expect(await all.next()?.userInfo?["n"] as? Int == 1)
    #expect(await all.next()?.userInfo?["n"] as? Int == 2)
    #expect(await some.next()?.userInfo?["n"] as? Int == 2)
  }

  @Test func aLoopEndsWithItsTask() async {
    let center = NotificationCenter()
    let task = Task {
      var count = 0
      for await _ in center.notifications(named: Self.name) { count += 1 }
      return count
    }
    task.cancel()
    center.post(name: Self.name, object: nil)
    #expect(await task.value <= 1)
  }

  @Test func textsAreThoseOfTheSource() {
    let count = 3
    #expect(String(localized: "\(count) notes of \("Ann")") == "3 notes of Ann")
    #expect(String(localized: "Title", comment: "the title") == "Title")
    #expect(String(localized: "key", defaultValue: "Text") == "Text")
    #expect(String(localized: "\(2.5, specifier: "%.2f") m") == "2.50 m")
    let resource: LocalizedStringResource = "\(count) notes"
    #expect(String(localized: resource) == "3 notes")
    #expect(LocalizedStringResource("key", defaultValue: "Text", bundle: .main).key == "key")
  }

  @Test func predicatesSearchTexts() throws {
    let word = "ann"
    let predicate = #Predicate<Named> { $0.name.localizedStandardContains(word) && $0.age > 3 }
    #expect(try predicate.evaluate(Named(name: "Joänna", age: 5)))
    #expect(try !predicate.evaluate(Named(name: "Ben", age: 5)))
  }
}

private struct Named {
  var name: String
  var age: Int
}
