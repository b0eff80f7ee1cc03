// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesGraph
import SporadesModel

/// A value an attribute keeps as what its transformer makes of it.
struct Parcel: Codable, Equatable {
  var label = ""
  var sizes: [Int] = []
}

/// An attribute of every type, optional and with a default.
@Entity final class Kinds: ManagedObject {
  var number: Int = 7
  var short: Int16?
  var middle: Int32?
  var long: Int64?
  var single: Float?
  var double: Double?
  var decimal: Decimal?
  var flag: Bool?
  var text: String?
  var date: Date?
  @Attribute(.externalStorage) var data: Data?
  var id: UUID?
  var link: URL?
  var parcel: Parcel?
  var list: [String] = ["a"]
  var light: Light?
  var style: Style = .festive
  var home: Home?
  @Transient var passing: Int = 3
}
