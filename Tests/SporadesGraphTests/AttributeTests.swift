// SPDX-License-Identifier: MIT
import Foundation
import SporadesGraph
import SporadesModel
import SporadesSQLite
import SporadesStore
import Testing

/// Values come back from every store as they were given.
@Suite struct AttributeTests {
  private func stack(_ kind: StoreKind) throws -> DataStack {
    DataStack(store: try kind.store(ManagedObjectModel([Kinds.self])), classes: [Kinds.self])
  }

  /// Saves what `set` sets, and hands the object to `check` before and after it is read anew.
  private func roundTrip(
    _ kind: StoreKind, _ set: (Kinds) -> Void, _ check: (Kinds) -> Void
  ) throws {
    try stack(kind).newContext().performAndWait { context in
      let object = Kinds.create(in: context)
      set(object)
      check(object)
      try context.save()
      check(object)
      context.reset()
      let again = try #require(try Kinds.first(in: context))
      check(again)
      context.refresh(again, mergeChanges: false)
      check(again)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func defaultsAreThereAndOptionalsAreNil(in kind: StoreKind) throws {
    try roundTrip(kind) { _ in
    } _: { object in
      #expect(object.number == 7)
      #expect(object.style == .festive)
      #expect(object.list == ["a"])
      #expect(object.short == nil)
      #expect(object.middle == nil)
      #expect(object.long == nil)
      #expect(object.single == nil)
      #expect(object.double == nil)
      #expect(object.decimal == nil)
      #expect(object.flag == nil)
      #expect(object.text == nil)
      #expect(object.date == nil)
      #expect(object.data == nil)
      #expect(object.id == nil)
      #expect(object.link == nil)
      #expect(object.parcel == nil)
      #expect(object.light == nil)
      #expect(object.home == nil)
      #expect(object.passing == 3)
    }
  }

  @Test(arguments: StoreKind.allCases, [true, false])
  func boundsOfIntegersAreKept(in kind: StoreKind, least: Bool) throws {
    try roundTrip(kind) {
      $0.number = least ? .min : .max
      $0.short = least ? .min : .max
      $0.middle = least ? .min : .max
      $0.long = least ? .min : .max
      $0.flag = least
    } _: {
      #expect($0.number == (least ? .min : .max))
      #expect($0.short == (least ? .min : .max))
      #expect($0.middle == (least ? .min : .max))
      #expect($0.long == (least ? .min : .max))
      #expect($0.flag == least)
    }
  }

  @Test(arguments: [
    0, -0.0, 1.0 / 3, .greatestFiniteMagnitude, .leastNonzeroMagnitude, .infinity, -.infinity,
  ])
  func doublesAreKept(value: Double) throws {
    for kind in StoreKind.allCases {
      try roundTrip(kind) {
        $0.double = value
        $0.single = Float(value)
      } _: {
        #expect($0.double == value)
        #expect($0.single == Float(value))
      }
    }
  }

  /// SQLite keeps what is not a number as NULL, and a program would read nil where it set a value.
  @Test(arguments: StoreKind.allCases)
  func notANumberIsRefused(by kind: StoreKind) throws {
    let changes: [(String, (Kinds) -> Void)] = [
      ("double", { $0.double = .nan }), ("single", { $0.single = .nan }),
      ("date", { $0.date = Date(timeIntervalSinceReferenceDate: .nan) }),
    ]
    for (name, change) in changes {
      try stack(kind).newContext().performAndWait { context in
        let object = Kinds.create(in: context)
        change(object)
        let error = #expect(throws: ValidationError.self) { try context.save() }
        #expect(error?.failures.map(\.property) == [name])
        #expect(error?.description.contains("is not a number (NaN)") == true)
        (object.double, object.single, object.date) = (nil, nil, nil)
        try context.save()
      }
    }
  }

  @Test(arguments: StoreKind.allCases)
  func decimalsKeepThirtyDigits(in kind: StoreKind) throws {
    for text in [
      "123456789012345678901234567890", "-0.000000000000000000000000000001", "0.1", "-7",
    ] {
      let number = try #require(Decimal(string: text))
      try roundTrip(kind) {
        $0.decimal = number
      } _: {
        #expect($0.decimal == number)
      }
    }
  }

  @Test(arguments: [Double.infinity, -.infinity, .nan])
  func noDecimalStandsForANumberThatIsNotFinite(_ number: Double) throws {
    try stack(.memory).newContext().performAndWait { context in
      let object = Kinds.create(in: context)
      #expect(throws: ValidationError.self) {
        try object.validateValue(.double(number), forKey: "decimal")
      }
    }
  }

  @Test(arguments: StoreKind.allCases)
  func datesAreKeptToTheLastBit(in kind: StoreKind) throws {
    for seconds in [0, -978_307_200, 700_000_000.123_456_7, -63_114_076_800, 64_092_211_200] {
      let date = Date(timeIntervalSinceReferenceDate: kind.datePrecision.rounded(seconds))
      try roundTrip(kind) {
        $0.date = date
      } _: {
        #expect($0.date == date)
      }
    }
  }

  @Test(arguments: StoreKind.allCases)
  func textsAreKeptByteByByte(in kind: StoreKind) throws {
    let large = String(repeating: "Aß→😀", count: 100_000)
    for text in ["", " ", "it's \"quoted\"", "e\u{301} é", "a\u{0}b", "\u{FEFF}x", large]
    where kind != .server || !text.contains("\u{0}") {
      try roundTrip(kind) {
        $0.text = text
      } _: {
        #expect($0.text.map { Array($0.utf8) } == Array(text.utf8))
      }
    }
  }

  @Test(arguments: StoreKind.allCases)
  func bytesIdsAndLinksAreKept(in kind: StoreKind) throws {
    let id = UUID()
    let link = try #require(URL(string: "https://example.org/a%20b?c=d#e"))
    for data in [Data(), Data([0]), Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0) })] {
      try roundTrip(kind) {
        $0.data = data
        $0.id = id
        $0.link = link
      } _: {
        #expect($0.data == data)
        #expect($0.id == id)
        #expect($0.link == link)
      }
    }
  }

  @Test func largeBytesLieInFilesBesideTheStore() throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("Kinds.sqlite")
    let model = try ManagedObjectModel([Kinds.self])
    let data = Data((0..<500_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    do {
      let stack = DataStack(store: try SQLiteStore(url: url, model: model), classes: [Kinds.self])
      try stack.newContext().performAndWait { context in
        Kinds.create(in: context).data = data
        try context.save()
      }
      try stack.store.close()
    }
    let stack = DataStack(store: try SQLiteStore(url: url, model: model), classes: [Kinds.self])
    let found = try stack.main.performAndWait {
      try Kinds.first(in: $0)?.data
    }
    #expect(found == data)
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path)
    #expect(files.contains { $0.contains("_EXTERNAL_DATA/") })
    try stack.store.close()
  }

  @Test(arguments: StoreKind.allCases)
  func codableValuesEnumsAndCompositesAreKept(in kind: StoreKind) throws {
    let home = Home(
      city: "Skopelos", zip: 370_03, isOpen: true, style: .festive, light: .bright,
      spot: Spot(x: 1.5, y: -2))
    try roundTrip(kind) {
      $0.parcel = Parcel(label: "x", sizes: [1, 2])
      $0.list = []
      $0.light = .dim
      $0.style = .plain
      $0.home = home
    } _: {
      #expect($0.parcel == Parcel(label: "x", sizes: [1, 2]))
      #expect($0.list == [])
      #expect($0.light == .dim)
      #expect($0.style == .plain)
      #expect($0.home == home)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func valuesCanBeTakenAway(in kind: StoreKind) throws {
    try stack(kind).newContext().performAndWait { context in
      let object = Kinds.create(in: context)
      (object.text, object.long, object.data, object.light) = ("x", 4, Data([1]), .dim)
      (object.parcel, object.home) = (Parcel(), Home(city: "Rome"))
      try context.save()
      (object.text, object.long, object.data, object.light) = (nil, nil, nil, nil)
      (object.parcel, object.home) = (nil, nil)
      try context.save()
      context.reset()
      let again = try #require(try Kinds.first(in: context))
      #expect(again.text == nil)
      #expect(again.long == nil)
      #expect(again.data == nil)
      #expect(again.light == nil)
      #expect(again.parcel == nil)
      #expect(again.home == nil)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func transientValuesLiveWithTheirObject(in kind: StoreKind) throws {
    try kind.people().newContext().performAndWait { context in
      let ann = Person.make("Ann", in: context)
      #expect(ann.style == .festive)
      #expect(ann.scratch == [])
      (ann.style, ann.scratch) = (.plain, [1, 2])
      try context.save()
      #expect(ann.style == .plain)
      #expect(ann.scratch == [1, 2])
      context.reset()
      let again = try #require(try Person.first(in: context))
      #expect(again.style == .festive)
      #expect(again.scratch == [])
    }
  }

  // MARK: - Composites in predicates and orders

  @Test func keyPathsLeadIntoComposites() throws {
    func names(_ keyPath: PartialKeyPath<Person>) throws -> [String] {
      try PersonKeyPaths.names(of: keyPath)
    }
    #expect(try names(\.home?.city) == ["home", "city"])
    #expect(try names(\.home!.zip) == ["home", "zip"])
    #expect(try names(\.home?.isOpen) == ["home", "isOpen"])
    #expect(try names(\.home?.style) == ["home", "style"])
    #expect(try names(\.home?.light) == ["home", "light"])
    #expect(try names(\.home?.spot) == ["home", "spot"])
    #expect(try names(\.home?.spot?.y) == ["home", "spot", "y"])
    #expect(try names(\.parent?.home?.spot?.x) == ["parent", "home", "spot", "x"])
    #expect(try names(\.parent?.home) == ["parent", "home"])
  }

  @Test func aComputedMemberOfACompositeIsRefused() {
    let error = #expect(throws: FetchPredicateError.self) {
      try PersonKeyPaths.names(of: \.home?.text)
    }
    #expect(error?.code == .notStored)
    #expect(error?.detail.contains("goes on behind home") == true)
  }

  @Test(arguments: StoreKind.allCases, [true, false])
  func membersOfCompositesAreComparedAndSorted(in kind: StoreKind, saved: Bool) throws {
    try kind.people().newContext().performAndWait { context in
      for (index, city) in ["Volos", "Athens", "Volos"].enumerated() {
        let person = Person.make("\(index)", age: index, in: context)
        person.home = Home(city: city, zip: 10 - index, spot: Spot(x: Double(index), y: 0))
        if index > 0 { person.parent = try Person.first(where: \.age == 0, in: context) }
      }
      if saved { try context.save() }
      func ages(_ predicate: FetchPredicate, _ terms: String) throws -> [Int] {
        try Person.all(where: predicate, sortedBy: terms, in: context).map(\.age)
      }
      #expect(try ages(FetchPredicate(format: "home.city == 'Volos'"), "home.zip") == [2, 0])
      #expect(
        try ages(FetchPredicate(format: "home.spot.x > 0"), "home.city,home.zip:NO") == [1, 2])
      #expect(try ages(FetchPredicate(format: "parent.home.city == 'Volos'"), "age") == [1, 2])
      let typed = try Person.all(
        where: \.home?.city == "Volos" && \.home!.zip > 8, sortedBy: \.home?.spot?.x, in: context)
      #expect(typed.map(\.age) == [0])
      #expect(try Person.sum(\.home!.zip, in: context) == 27)
    }
  }
}
