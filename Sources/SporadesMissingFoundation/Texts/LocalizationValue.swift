// SPDX-License-Identifier: MIT
public import Foundation

// Texts for people, which are those of the source here.

extension String {
  /// A text for people, which a program on Apple's platforms may have in other languages. Here it is the text of the source.
  public struct LocalizationValue: ExpressibleByStringInterpolation, Hashable, Sendable {
    /// The text with its values.
    let text: String

    /// Takes a text without values.
    public init(_ value: String) { text = value }
    public init(stringLiteral value: String) { text = value }
    public init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

    /// A text that is put together of parts and values.
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
      fileprivate var text = ""

      public init(literalCapacity: Int, interpolationCount: Int) {
        text.reserveCapacity(literalCapacity)
      }

      /// Adds a part of the source.
      public mutating func appendLiteral(_ literal: String) { text += literal }

      /// Adds a value as its description.
      public mutating func appendInterpolation<Item>(_ value: Item) { text += "\(value)" }

      /// Adds a value in the form of a format of C: `specifier: "%.2f"`.
      public mutating func appendInterpolation<Item: CVarArg>(_ value: Item, specifier: String) {
        text += String(format: specifier, value)
      }

      /// Adds a value in a format: `format: .number`.
      public mutating func appendInterpolation<Style: FormatStyle>(
        _ value: Style.FormatInput, format: Style
      ) where Style.FormatOutput == String {
        text += format.format(value)
      }
    }
  }

  /// Takes the text of the source. Linux has no tables of other languages for it.
  public init(
    localized keyAndValue: LocalizationValue, table: String? = nil, bundle: Bundle? = nil,
    locale: Locale = .current, comment: StaticString? = nil
  ) {
    self = keyAndValue.text
  }

  /// Takes the text of the source that stands for a key.
  public init(
    localized key: StaticString, defaultValue: LocalizationValue, table: String? = nil,
    bundle: Bundle? = nil, locale: Locale = .current, comment: StaticString? = nil
  ) {
    self = defaultValue.text
  }

  /// Takes the text of a resource.
  public init(localized resource: LocalizedStringResource) { self = resource.defaultValue.text }
}

/// A text for people that is looked up when it is shown. On Linux that is the text of the source.
public struct LocalizedStringResource: ExpressibleByStringInterpolation, Hashable, Sendable,
  CustomLocalizedStringResourceConvertible
{
  /// The key, which is the text itself without another one.
  public let key: String
  /// The text of the source.
  public let defaultValue: String.LocalizationValue
  /// The table that would have the text in other languages.
  public let table: String?
  /// The language in which the text is asked for.
  public var locale: Locale

  /// Makes a resource of a text.
  public init(
    _ keyAndValue: String.LocalizationValue, table: String? = nil, locale: Locale = .current,
    comment: StaticString? = nil
  ) {
    key = keyAndValue.text
    defaultValue = keyAndValue
    self.table = table
    self.locale = locale
  }

  /// Makes a resource of a key and a text.
  public init(
    _ key: StaticString, defaultValue: String.LocalizationValue, table: String? = nil,
    locale: Locale = .current, comment: StaticString? = nil
  ) {
    self.key = "\(key)"
    self.defaultValue = defaultValue
    self.table = table
    self.locale = locale
  }

  public init(stringLiteral value: String) { self.init(String.LocalizationValue(value)) }
  public init(stringInterpolation: String.LocalizationValue.StringInterpolation) {
    self.init(String.LocalizationValue(stringInterpolation: stringInterpolation))
  }

  public var localizedStringResource: LocalizedStringResource { self }
}

/// A type whose instances have a text for people.
public protocol CustomLocalizedStringResourceConvertible {
  /// The text for people.
  var localizedStringResource: LocalizedStringResource { get }
}
