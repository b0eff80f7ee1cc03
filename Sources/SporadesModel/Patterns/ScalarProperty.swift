// SPDX-License-Identifier: MIT

/// Properties of characters by name: `\p{Lu}`, `\p{script=Greek}`, `[[:alpha:]]`.
enum ScalarProperty {
  typealias Properties = Unicode.Scalar.Properties

  /// Finds the property with a name; nil if there is none.
  static func definition(_ name: String) -> ScalarSet.Definition? {
    let halves = name.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard halves.count == 2 else { return single(plain(name)) ?? script(name) }
    switch plain(String(halves[0])) {
    case "gc", "generalcategory": return category(plain(String(halves[1])))
    case "sc", "script": return listed("Script", String(halves[1]))
    case "scx", "scriptextensions": return listed("Script_Extensions", String(halves[1]))
    case "age": return listed("Age", String(halves[1]))
    default: return nil
    }
  }

  /// The form of a name for comparisons: without case, blanks, underscores and dashes.
  private static func plain(_ name: String) -> String {
    name.lowercased().filter { !" _-\t".contains($0) }
  }

  private static func single(_ name: String) -> ScalarSet.Definition? {
    if let definition = special(name) ?? category(name) { return definition }
    return binary[name].map { path in .property { path($0.properties) } }
  }

  // MARK: - General categories

  private static func category(_ name: String) -> ScalarSet.Definition? {
    guard let codes = categories[name] else { return nil }
    return .property { codes.contains($0.properties.generalCategory) }
  }

  private static let categories: [String: Set<Unicode.GeneralCategory>] = {
    let single: [(String, String, Unicode.GeneralCategory)] = [
      ("lu", "uppercaseletter", .uppercaseLetter), ("ll", "lowercaseletter", .lowercaseLetter),
      ("lt", "titlecaseletter", .titlecaseLetter), ("lm", "modifierletter", .modifierLetter),
      ("lo", "otherletter", .otherLetter), ("mn", "nonspacingmark", .nonspacingMark),
      ("mc", "spacingmark", .spacingMark), ("me", "enclosingmark", .enclosingMark),
      ("nd", "decimalnumber", .decimalNumber), ("nl", "letternumber", .letterNumber),
      ("no", "othernumber", .otherNumber), ("pc", "connectorpunctuation", .connectorPunctuation),
      ("pd", "dashpunctuation", .dashPunctuation), ("ps", "openpunctuation", .openPunctuation),
      ("pe", "closepunctuation", .closePunctuation),
      ("pi", "initialpunctuation", .initialPunctuation),
      ("pf", "finalpunctuation", .finalPunctuation), ("po", "otherpunctuation", .otherPunctuation),
      ("sm", "mathsymbol", .mathSymbol), ("sc", "currencysymbol", .currencySymbol),
      ("sk", "modifiersymbol", .modifierSymbol), ("so", "othersymbol", .otherSymbol),
      ("zs", "spaceseparator", .spaceSeparator), ("zl", "lineseparator", .lineSeparator),
      ("zp", "paragraphseparator", .paragraphSeparator), ("cc", "control", .control),
      ("cf", "format", .format), ("cs", "surrogate", .surrogate), ("co", "privateuse", .privateUse),
      ("cn", "unassigned", .unassigned),
    ]
    let groups: [(String, String)] = [
      ("l", "letter"), ("m", "mark"), ("n", "number"), ("p", "punctuation"), ("s", "symbol"),
      ("z", "separator"), ("c", "other"),
    ]
    var categories: [String: Set<Unicode.GeneralCategory>] = [:]
    for (code, name, category) in single {
      categories[code] = [category]
      categories[name] = [category]
      categories[String(code.prefix(1)), default: []].insert(category)
    }
    for (code, name) in groups { categories[name] = categories[code] }
    categories["lc"] = [.uppercaseLetter, .lowercaseLetter, .titlecaseLetter]
    categories["casedletter"] = categories["lc"]
    categories["punct"] = categories["p"]
    categories["cntrl"] = categories["cc"]
    categories["digit"] = categories["nd"]
    categories["combiningmark"] = categories["m"]
    return categories
  }()

  // MARK: - Special names

  private static func special(_ name: String) -> ScalarSet.Definition? {
    switch name {
    case "any", "all": .ranges([0...0x10_FFFF])
    case "ascii": .ranges([0...0x7F])
    case "assigned": .property { $0.properties.generalCategory != .unassigned }
    case "alnum":
      .property { $0.properties.isAlphabetic || $0.properties.generalCategory == .decimalNumber }
    case "word": ScalarClass.words
    case "blank": ScalarClass.blanks
    case "xdigit":
      .property { $0.properties.isHexDigit || $0.properties.generalCategory == .decimalNumber }
    case "graph": .property { !$0.properties.isWhitespace && isVisible($0) }
    case "print":
      .property {
        $0.properties.generalCategory == .spaceSeparator
          || (!$0.properties.isWhitespace && isVisible($0))
      }
    default: nil
    }
  }

  /// The scalar leaves a mark on paper.
  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .surrogate, .unassigned: false
    default: true
    }
  }

  private typealias Path = @Sendable (Properties) -> Bool

  private static let binary: [String: Path] = [
    "alphabetic": { $0.isAlphabetic }, "alpha": { $0.isAlphabetic },
    "uppercase": { $0.isUppercase }, "upper": { $0.isUppercase },
    "lowercase": { $0.isLowercase }, "lower": { $0.isLowercase },
    "whitespace": { $0.isWhitespace }, "wspace": { $0.isWhitespace }, "space": { $0.isWhitespace },
    "asciihexdigit": { $0.isASCIIHexDigit }, "ahex": { $0.isASCIIHexDigit },
    "hexdigit": { $0.isHexDigit }, "hex": { $0.isHexDigit },
    "bidicontrol": { $0.isBidiControl }, "bidimirrored": { $0.isBidiMirrored },
    "cased": { $0.isCased }, "caseignorable": { $0.isCaseIgnorable },
    "changeswhencasefolded": { $0.changesWhenCaseFolded },
    "changeswhencasemapped": { $0.changesWhenCaseMapped },
    "changeswhenlowercased": { $0.changesWhenLowercased },
    "changeswhenuppercased": { $0.changesWhenUppercased },
    "changeswhentitlecased": { $0.changesWhenTitlecased },
    "dash": { $0.isDash },
    "defaultignorablecodepoint": { $0.isDefaultIgnorableCodePoint },
    "di": { $0.isDefaultIgnorableCodePoint },
    "deprecated": { $0.isDeprecated }, "diacritic": { $0.isDiacritic }, "dia": { $0.isDiacritic },
    "emoji": { $0.isEmoji }, "emojimodifier": { $0.isEmojiModifier },
    "emojimodifierbase": { $0.isEmojiModifierBase },
    "emojipresentation": { $0.isEmojiPresentation },
    "extender": { $0.isExtender }, "graphemebase": { $0.isGraphemeBase },
    "graphemeextend": { $0.isGraphemeExtend }, "idcontinue": { $0.isIDContinue },
    "idstart": { $0.isIDStart }, "ideographic": { $0.isIdeographic },
    "joincontrol": { $0.isJoinControl }, "math": { $0.isMath },
    "noncharactercodepoint": { $0.isNoncharacterCodePoint },
    "patternsyntax": { $0.isPatternSyntax }, "patternwhitespace": { $0.isPatternWhitespace },
    "quotationmark": { $0.isQuotationMark }, "radical": { $0.isRadical },
    "sentenceterminal": { $0.isSentenceTerminal }, "softdotted": { $0.isSoftDotted },
    "terminalpunctuation": { $0.isTerminalPunctuation },
    "unifiedideograph": { $0.isUnifiedIdeograph },
    "variationselector": { $0.isVariationSelector },
    "xidcontinue": { $0.isXIDContinue }, "xidstart": { $0.isXIDStart },
  ]

  // MARK: - Scripts and ages

  /// Finds the script of `\p{Latin}` or `\p{IsLatin}`.
  private static func script(_ name: String) -> ScalarSet.Definition? {
    listed("Script", plain(name).hasPrefix("is") ? String(name.dropFirst(2)) : name)
  }

  /// Lists the scalars with a property. The standard library has the tables of scripts, but only its
  /// regular expressions can read them, so the function matches all scalars against one.
  private static func listed(_ property: String, _ value: String) -> ScalarSet.Definition? {
    let isName = value.unicodeScalars.allSatisfy {
      $0.isASCII && ($0.properties.isAlphabetic || "_- .0123456789".unicodeScalars.contains($0))
    }
    // `try?`, because the only error is an unknown name, for which this function returns nil.
    guard isName, let expression = try? Regex("\\p{\(property)=\(value)}+") else { return nil }
    var ranges: [ClosedRange<UInt32>] = []
    for match in everything.matches(of: expression.matchingSemantics(.unicodeScalar)) {
      for scalar in everything[match.range].unicodeScalars {
        if let last = ranges.last, last.upperBound + 1 == scalar.value {
          ranges[ranges.count - 1] = last.lowerBound...scalar.value
        } else {
          ranges.append(scalar.value...scalar.value)
        }
      }
    }
    return .ranges(ranges)
  }

  /// Every assigned scalar outside the planes for private use.
  private static let everything: String = {
    var text = String.UnicodeScalarView()
    for number in Array(UInt32(0)...0x3_FFFF) + Array(UInt32(0xE_0000)...0xE_0FFF) {
      guard let scalar = Unicode.Scalar(number),
        scalar.properties.generalCategory != .unassigned
      else { continue }
      text.append(scalar)
    }
    return String(text)
  }()
}
