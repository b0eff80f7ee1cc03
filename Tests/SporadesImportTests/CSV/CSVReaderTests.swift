// SPDX-License-Identifier: MIT
import Testing

@testable import SporadesImport

@Suite struct CSVReaderTests {
  /// The inputs of csv-spectrum by Max Ogden (BSD licence), with what they mean.
  static let spectrum: [(String, [[String?]])] = [
    (
      "first,last,address,city,zip\nJohn,Doe,120 any st.,\"Anytown, WW\",08123",
      [["John", "Doe", "120 any st.", "Anytown, WW", "08123"]]
    ),
    ("a,b,c\n1,\"\",\"\"\n2,3,4", [["1", "", ""], ["2", "3", "4"]]),
    ("a,b,c\r\n1,\"\",\"\"\r\n2,3,4", [["1", "", ""], ["2", "3", "4"]]),
    ("a,b\n1,\"ha \"\"ha\"\" ha\"\n3,4\n", [["1", "ha \"ha\" ha"], ["3", "4"]]),
    (
      "key,val\n1,\"{\"\"type\"\": \"\"Point\"\", \"\"coordinates\"\": [102.0, 0.5]}\"\n",
      [["1", "{\"type\": \"Point\", \"coordinates\": [102.0, 0.5]}"]]
    ),
    (
      "Contact Phone Number,Location Coordinates,Cities,Counties\n2095257564,37\u{FFFD}36'37.8\"N 121\u{FFFD}2'17.9\"W,Modesto,Stanislaus",
      [["2095257564", "37\u{FFFD}36'37.8\"N 121\u{FFFD}2'17.9\"W", "Modesto", "Stanislaus"]]
    ),
    (
      "a,b,c\n1,2,3\n\"Once upon \na time\",5,6\n7,8,9\n",
      [["1", "2", "3"], ["Once upon \na time", "5", "6"], ["7", "8", "9"]]
    ),
    (
      "a,b,c\r\n1,2,3\r\n\"Once upon \r\na time\",5,6\r\n7,8,9\r\n",
      [["1", "2", "3"], ["Once upon \r\na time", "5", "6"], ["7", "8", "9"]]
    ),
    ("a,b\n1,\"ha \n\"\"ha\"\" \nha\"\n3,4\n", [["1", "ha \n\"ha\" \nha"], ["3", "4"]]),
    ("a,b,c\n1,2,3\n", [["1", "2", "3"]]),
    ("a,b,c\r\n1,2,3\r\n", [["1", "2", "3"]]),
    ("a,b,c\n1,2,3\n4,5,\u{2A4}", [["1", "2", "3"], ["4", "5", "\u{2A4}"]]),
  ]

  @Test(arguments: spectrum)
  func readsTheSpectrum(_ text: String, _ rows: [[String?]]) throws {
    for block in [1, 2, 5, 1 << 18] {
      let all = try read(text, block: block)
      #expect(all.failures.isEmpty)
      #expect(all.rows == rows)
    }
  }

  @Test func aFieldWithoutCharactersIsNull() throws {
    #expect(try read("a,b,c\n,\"\",x\n").rows == [[nil, "", "x"]])
  }

  @Test func otherCharactersAndNoHeader() throws {
    var form = CSVForm(delimiter: ";", columns: ["a", "b"])
    form.quote = "'"
    let all = try read("1;'x;''y'\n2;\"", form)
    #expect(all.rows == [["1", "x;'y"], ["2", "\""]])
  }

  @Test func trimsSpacesWhenAsked() throws {
    var form = CSVForm()
    form.trimsSpaces = true
    #expect(try read("a,b\n x , y y \n", form).rows == [["x", "y y"]])
    #expect(try read("a,b\n x , y y \n").rows == [[" x ", " y y "]])
  }

  @Test func refusesALineAndReadsTheNextOnes() throws {
    let all = try read("a,b\n1,2\n1,2,3\n\"x\"y,2\n5,6\n7\n")
    #expect(all.rows == [["1", "2"], ["5", "6"]])
    #expect(all.failures.map { $0.place?.line } == [3, 4, 6])
    #expect(all.failures.map(\.row) == [2, 3, 5])
    #expect(all.failures[0].reason.contains("3 fields"))
  }

  @Test func emptyLinesAreNoRows() throws {
    #expect(try read("a,b\n\n1,2\n\r\n3,4\n\n").rows == [["1", "2"], ["3", "4"]])
    #expect(try read("a\n\n1\n").rows == [[nil], ["1"]])
  }

  @Test(arguments: [
    ("", "empty"), ("a,a\n1,2", "Two columns"), ("a,b\n1,\"2\n3,4\n", "inside the quotes"),
  ])
  func refusesAnInput(_ text: String, _ words: String) throws {
    for block in [1, 1 << 18] {
      let error = #expect(throws: ImportError.self) { try read(text, block: block) }
      #expect(error?.detail.contains(words) == true)
    }
  }

  @Test func refusesBytesThatAreNotUTF8() throws {
    var reader = try CSVReader(
      ByteSource(Array("a,b\n1,".utf8) + [0xE9] + Array("t\n3,4\n".utf8)), CSVForm(), RecordLimits()
    )
    let all = try readAll(&reader, 100)
    #expect(all.values.count == 1)
    #expect(all.failures.map { $0.place?.column } == [3])
    #expect(all.failures.first?.reason.contains("UTF-8") == true)
  }

  @Test(arguments: [Character("é"), "\n", "\""])
  func refusesADelimiter(_ delimiter: Character) throws {
    let error = #expect(throws: ImportError.self) {
      try read("a\n", CSVForm(delimiter: delimiter))
    }
    #expect(error?.code == .request)
  }

  private func read(
    _ text: String, _ form: CSVForm = CSVForm(), block: Int = 1 << 18
  ) throws -> (rows: [[String?]], failures: [ImportFailure]) {
    var reader = try CSVReader(ByteSource(Array(text.utf8)), form, RecordLimits(), block: block)
    let all = try readAll(&reader, 3)
    return (all.values.map { $0.record?.pairs.map(\.value.string) ?? [] }, all.failures)
  }
}
