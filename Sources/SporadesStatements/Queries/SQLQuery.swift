// SPDX-License-Identifier: MIT
public import SporadesGraph
public import SporadesModel

/// A statement of SQL that reads, with entities, key paths and values in the places of tables, columns and parameters.
///
/// ```swift
/// let query: SQLQuery = """
///   SELECT \(\Person.name), rank() OVER (ORDER BY \(\Person.age) DESC)
///   FROM \(Person.self) WHERE \(\Person.age) > \(18)
///   """
/// let ranks = try context.rows(query, as: (String, Int).self)
/// ```
///
/// The text is that of the source code. A string of the running program is a value, and never becomes a part of it.
public struct SQLQuery: Sendable {
  var parts: [Part]
  /// The longest time that the statement may take; nil leaves it to the context's `fetchTimeout`.
  public var timeout: Duration?
  /// The identifier of the store that is asked, where several stores of a coordinator hold the entities.
  public var storeIdentifier: String?

  enum Part: Sendable {
    case text(String)
    case table(ManagedObject.Type, alias: String?)
    case column(ManagedObject.Type, [String], alias: String?)
    case links(ManagedObject.Type, [String], alias: String?)
    case value(Value)
    /// A key path that no column has, with the reason.
    case refused(FetchPredicateError)
  }
}

extension SQLQuery: ExpressibleByStringInterpolation {
  /// A statement without interpolations.
  public init(stringLiteral text: StaticString) { parts = [.text(text.description)] }

  /// A statement that the compiler put together.
  public init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }

  /// The pieces of a statement, as the compiler hands them over.
  public struct StringInterpolation: StringInterpolationProtocol {
    // A text of the running program has no way in: a literal is a `StaticString`.
    /// The type of the pieces of text.
    public typealias StringLiteralType = StaticString

    var parts: [Part] = []

    /// Begins a statement.
    public init(literalCapacity: Int, interpolationCount: Int) {
      parts.reserveCapacity(2 * interpolationCount + 1)
    }

    /// Adds text of the source code.
    public mutating func appendLiteral(_ literal: StaticString) {
      parts.append(.text(literal.description))
    }

    /// Adds the objects of an entity, as a table: `\(Person.self)`, `\(Person.self, as: "p")`.
    ///
    /// Where several entities share a table, only the rows of this one and of its subentities are in it.
    public mutating func appendInterpolation<Object: ManagedObject>(
      _ entity: Object.Type, as alias: StaticString? = nil
    ) { parts.append(.table(entity, alias: alias?.description)) }

    /// Adds the column of an attribute, of a to-one relationship's key, or of the object's own key:
    /// `\(\Person.name)`, `\(\Person.boss, of: "p")`, `\(\Person.objectID)`.
    public mutating func appendInterpolation<Object: ManagedObject, V>(
      _ keyPath: KeyPath<Object, V>, of alias: StaticString? = nil
    ) {
      do throws(FetchPredicateError) {
        let names = try keyPath.columnNames()
        parts.append(.column(Object.self, names, alias: alias?.description))
      } catch { parts.append(.refused(error)) }
    }

    /// Adds the links of a many-to-many relationship, as a table with the columns `owner`, `member` and, in an ordered
    /// relationship, `position`: `\(links: \Pet.friends)`.
    public mutating func appendInterpolation<Object: ManagedObject, V>(
      links keyPath: KeyPath<Object, V>, as alias: StaticString? = nil
    ) {
      do throws(FetchPredicateError) {
        let names = try keyPath.columnNames()
        parts.append(.links(Object.self, names, alias: alias?.description))
      } catch { parts.append(.refused(error)) }
    }

    /// Adds a parameter with a value: of an attribute, an object or its id. A list becomes a list in parentheses, as
    /// `IN` needs it.
    public mutating func appendInterpolation(_ value: some ValueConvertible) {
      parts.append(.value(value.value))
    }

    /// Adds a parameter with a value, or NULL.
    // Without it, the compiler takes an optional for a mistake.
    public mutating func appendInterpolation<V: ValueConvertible>(_ value: V?) {
      parts.append(.value(value.value))
    }

    /// Adds a parameter with the raw value of an enum.
    public mutating func appendInterpolation<V: RawRepresentable>(_ value: V)
    where V.RawValue: ValueConvertible { parts.append(.value(value.rawValue.value)) }

    /// Adds a parameter with the raw value of an enum, or NULL.
    public mutating func appendInterpolation<V: RawRepresentable>(_ value: V?)
    where V.RawValue: ValueConvertible { parts.append(.value(value?.rawValue.value ?? .null)) }

    /// Adds another statement, with its entities, columns and values.
    public mutating func appendInterpolation(_ query: SQLQuery) { parts += query.parts }
  }
}
