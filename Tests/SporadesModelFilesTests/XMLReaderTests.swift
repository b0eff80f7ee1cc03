// SPDX-License-Identifier: MIT
import SporadesModel
import Testing

@testable import SporadesModelFiles

/// The XML reader, with well-formed and other text.
@Suite struct XMLReaderTests {
  private func read(_ text: String) throws -> ModelElement { try read(Array(text.utf8)) }

  private func read(_ bytes: [UInt8]) throws(ModelError) -> ModelElement {
    try XMLReader.read(bytes, file: "contents")
  }

  /// The line and code of the only problem; nil if there is none.
  private func problem(_ text: String) -> String? { problem(Array(text.utf8)) }

  private func problem(_ bytes: [UInt8]) -> String? {
    do {
      _ = try read(bytes)
      return nil
    } catch {
      let problems = error.problems.map { "\($0.location?.line ?? 0) \($0.code.rawValue)" }
      return problems.joined(separator: ", ")
    }
  }

  private func value(_ text: String) throws -> String? {
    try read("<a v=\(text)/>").attributes["v"]
  }

  // MARK: - Elements

  @Test func readsElementsAttributesAndLines() throws {
    let root = try read(
      """
      <?xml version="1.0" encoding='utf-8' standalone = "no" ?>
      <!-- first --><?note any <text> & more?>
      <m:model  one = "1"
        two='2'
      >text<b/>&lt;<c x=""
      /><c></c
      ></m:model
      >
      <!----><?end?>
      """)
    #expect(root.name == "m:model")
    #expect(root.attributes == ["one": "1", "two": "2"])
    #expect(root.line == 5)
    #expect(root.children.map(\.name) == ["b", "c", "c"])
    #expect(root.children.map(\.line) == [5, 6, 6])
    #expect(root.children[1].attributes == ["x": ""])
  }

  @Test func readsNamesOfEveryScript() throws {
    for name in ["_", ":", "a-b.c", "é", "名前", "a·b", "𐀀", "x1"] {
      #expect(try read("<\(name)></\(name)>").name == name)
      #expect(try read("<a \(name)='1'/>").attributes == [name: "1"])
    }
  }

  @Test(arguments: [
    "<a></b>", "<a><b></a></b>", "<a></A>", "<a></a b>", "<a></ a>", "</a>", "<a/></a>",
    "<e\u{301}></\u{E9}>", "<a/><b/>", "<a></a><a></a>", "<a/>text", "text<a/>", "<a/>&amp;",
    "<![CDATA[x]]><a/>", "<>", "< a/>", "<1/>", "<-a/>", "<.a/>", "<·/>", "<a×/>", "<a / >",
    "<a/b/>", "<a /x>", "&lt;a/>", "<a><</a>", "<a><a</a>",
  ])
  func refusesTagsThatAreNotWellFormed(text: String) {
    #expect(problem(text) == "1 malformedFile")
  }

  @Test(arguments: [
    "<a b/>", "<a b=/>", "<a b=c/>", "<a b='c\"/>", "<a b='1' b='2'/>", "<a b='1'c='2'/>",
    "<a b='<'/>", "<a ='1'/>", "<a b=='1'/>", "<a 1='1'/>", "<a b'1'/>", "<a b='1' b=\"1\"/>",
    "<a b='1''/>", "<a\u{A0}b='1'/>",
  ])
  func refusesAttributesThatAreNotWellFormed(text: String) {
    #expect(problem(text) == "1 malformedFile")
  }

  @Test func namesTheLineOfAMistake() {
    #expect(problem("<a>\n<b>\n</a>") == "3 malformedFile")
    #expect(problem("<a>\n\n<b x='&no;'/></a>") == "3 malformedFile")
    #expect(problem("<a>\r\n<b x='\n\n&#0;'/></a>") == "4 malformedFile")
    #expect(problem("<a>\n\u{1}</a>") == "2 malformedFile")
    #expect(problem("<a>\n<b/>\n") == "3 malformedFile")
  }

  @Test func refusesTextThatEndsTooEarly() {
    let text = Array(
      "<?xml version='1.0'?><!-- c --><a b='&amp;é'>&#x41;<![CDATA[x]]><?p i?><c/></a>".utf8)
    #expect(problem(text) == nil)
    for count in text.indices {
      #expect(problem(Array(text.prefix(count))) == "1 malformedFile", "\(count)")
    }
  }

  // MARK: - References and white space

  @Test func readsThePredefinedEntities() throws {
    #expect(try value("'&lt;&gt;&amp;&quot;&apos;'") == "<>&\"'")
    #expect(try value("'&amp;lt;'") == "&lt;")
    #expect(try value("'a\"b'") == "a\"b")
    #expect(try value("\"a'b>\"") == "a'b>")
  }

  @Test func readsReferencesToCharacters() throws {
    #expect(try value("'&#65;&#x42;&#x1F600;&#0000000000000000000067;'") == "AB😀C")
    #expect(try value("'&#xfffd;&#x10FFFF;&#x10000;'") == "\u{FFFD}\u{10FFFF}\u{10000}")
    #expect(try value("'&#60;&#38;&#39;'") == "<&'")
  }

  @Test(arguments: [
    "&#0;", "&#x0;", "&#8;", "&#x1F;", "&#xD800;", "&#xDFFF;", "&#xFFFE;", "&#xFFFF;",
    "&#x110000;", "&#99999999999999999999999999;", "&#;", "&#x;", "&#X41;", "&#65", "&#6 5;",
    "&#-1;", "&#+1;", "&#xG;", "&#A;", "&", "&;", "& amp;", "&amp", "&AMP;", "&nbsp;", "&am;",
    "&lt", "&#x41", "&amp ;",
  ])
  func refusesReferencesToNothing(reference: String) {
    #expect(problem("<a v='\(reference)'/>") == "1 malformedFile")
    #expect(problem("<a v='\(reference)'>;</a>") == "1 malformedFile")
    #expect(problem("<a>\(reference)</a>") == "1 malformedFile")
  }

  @Test func turnsWhiteSpaceOfValuesIntoSpaces() throws {
    #expect(try value("' a\tb\nc\r\nd\re  f '") == " a b c d e  f ")
    #expect(try value("'&#9;&#10;&#13;&#32;\r'") == "\t\n\r  ")
    #expect(try value("'é\n名'") == "é 名")
  }

  // MARK: - Comments and instructions

  @Test(arguments: [
    "<!---->", "<!-- & < > ]]> &no; -->", "<!-->-->", "<!--->-->", "<!-- - -->", "<?a?>", "<?a ??>",
    "<?a <b> & -- ]]>?>", "<?xml-stylesheet href='x'?>", "<?a\n?>",
  ])
  func skipsCommentsAndInstructions(text: String) throws {
    let root = try read("\(text)<a>\(text)<b/>\(text)</a>\(text)")
    #expect(root.children.map(\.name) == ["b"])
  }

  @Test(arguments: [
    "<!-- -- -->", "<!-- --->", "<!-->", "<!--", "<!-- --", "<!- x -->", "<!>", "<!", "<??>",
    "<? a?>", "<?a", "<?a?", "<?a>", "<?xml version='1.0'?>", "<?XML?>", "<?xml?>", "<?a/?>",
  ])
  func refusesCommentsAndInstructionsThatAreNotWellFormed(text: String) {
    #expect(problem("<a>\(text)</a>") == "1 malformedFile")
    #expect(problem("<a/>\(text)") == "1 malformedFile")
  }

  @Test func skipsCharacterDataLikeText() throws {
    let root = try read("<a><![CDATA[<b>&no;</b> ]] ]>]]]]><c/><![CDATA[]]>]] ]></a>")
    #expect(root.children.map(\.name) == ["c"])
    for text in ["]]>", "<![CDATA[", "<![CDATA[]]", "<![cdata[]]>", "<![", "<![INCLUDE[]]>"] {
      #expect(problem("<a>\(text)</a>") == "1 malformedFile", "\(text)")
    }
  }

  // MARK: - Declarations and encodings

  @Test(arguments: [
    "<?xml version='1.0'?>", "<?xml version=\"1.1\" encoding=\"US-ASCII\"?>",
    "<?xml version='1.0' standalone='yes'?>", "<?xml\nversion='1.0'\nencoding='Utf-8'\n?>",
  ])
  func readsDeclarations(text: String) throws {
    #expect(try read("\(text)<a/>").name == "a")
    #expect(try read([0xEF, 0xBB, 0xBF] + Array("\(text)<a/>".utf8)).name == "a")
  }

  @Test(arguments: [
    "<?xml?>", "<?xml ?>", "<?xml encoding='UTF-8'?>", "<?xml version='2.0'?>",
    "<?xml version='1.'?>", "<?xml version='1.0' encoding='UTF-16'?>",
    "<?xml version='1.0' encoding='latin1'?>", "<?xml version='1.0' encoding=''?>",
    "<?xml version='1.0' standalone='maybe'?>", "<?xml version='1.0'encoding='UTF-8'?>",
    "<?xml standalone='yes' version='1.0'?>", "<?xml version='1.0' version='1.0'?>",
    "<?xml version='1.0' other='1'?>", "<?xml version='1&#46;0'?>", "<?xml version='1.0'>",
    " <?xml version='1.0'?>", "<?xml version='1.0'?><?xml version='1.0'?>",
  ])
  func refusesDeclarationsThatAreNotWellFormed(text: String) {
    #expect(problem("\(text)<a/>") == "1 malformedFile")
  }

  @Test func refusesDocumentTypesAnywhere() {
    for text in ["<!DOCTYPE a>", "<!ENTITY a 'b'>", "<!doctype a>", "<!ELEMENT a ANY>", "<!a"] {
      #expect(problem("\n\(text)<a/>") == "2 malformedFile")
      #expect(problem("<a>\n\n\(text)</a>") == "3 malformedFile")
      #expect(problem("<!--\n\(text)-->\n<a/>") == "2 malformedFile")
    }
  }

  @Test func refusesBytesThatAreNotUTF8() {
    let sequences: [[UInt8]] = [
      [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xE0, 0x80, 0x80], [0xE2, 0x82],
      [0xED, 0xA0, 0x80], [0xF0, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0, 0, 0],
      [0xFF], [0xFE, 0xFF], [0xEF, 0xBF, 0xBE], [0xEF, 0xBF, 0xBF], [0], [1], [0x0B], [0x1F],
    ]
    for bytes in sequences {
      #expect(problem(Array("<a b='".utf8) + bytes + Array("'/>".utf8)) == "1 malformedFile")
      #expect(problem(Array("<a/><!--".utf8) + bytes + Array("-->".utf8)) == "1 malformedFile")
      #expect(problem(Array("<a/>".utf8) + bytes) == "1 malformedFile")
    }
    #expect(problem([0xEF, 0xBB, 0xBF]) == "1 malformedFile")
    #expect(problem("<a b='\u{7F}\u{85}\u{FEFF}\u{FFFD}\u{10FFFF}'/>") == nil)
  }
}
