// SPDX-License-Identifier: MIT
import Foundation
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// `sporades draw`.
@Suite struct DrawTests {
  @Test func aPictureHasABoxForEachEntity() throws {
    let folder = try WorkFolder()
    let model = try PetModel.write(PetModel.usual, to: "Pets.xcdatamodel", in: folder)
    let target = folder.path("Pets.svg")
    let run = try CommandRun("draw", model, "--to", target)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output == "")
    let picture = try Picture(String(contentsOfFile: target, encoding: .utf8))
    #expect(picture.boxes.map(\.name).sorted() == ["Animal", "Note", "Owner", "Pet"])
    #expect(picture.text.contains("class=\"name italic\" x=\"12\" y=\"22\">Animal<"))
    #expect(picture.text.contains(">String<"))
    #expect(picture.text.contains(">Date?<"))
    #expect(picture.text.contains(">* Pet · cascade<"))
    #expect(picture.text.contains(">0..1 Owner · nullify<"))
    #expect(picture.text.contains("prefers-color-scheme: dark"))
    #expect(picture.routes.count == 2)
    #expect(picture.mistakes == [])
  }

  @Test func thePictureOfAStoreCountsItsRows() throws {
    let folder = try WorkFolder()
    let shop = try ShopStore(in: folder)
    let run = try CommandRun("draw", shop.path, "--title", "A <shop> & \"more\"")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains(">A &lt;shop&gt; &amp; &quot;more&quot;</text>"))
    #expect(run.output.contains("y=\"21.5\">5</text>"), "\(run.output)")
    #expect(try Picture(run.output).mistakes == [])
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(names == ["Shop.sqlite"])
  }

  @Test func aStoreIsDrawnWithTheModelOfAFile() throws {
    let folder = try WorkFolder()
    let shop = try ShopStore(in: folder)
    let model = folder.path("Shop.mom")
    #expect(try CommandRun("convert", shop.path, "--to", model).status == 0)
    let run = try CommandRun("draw", shop.path, "--model", model)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output == (try CommandRun("draw", shop.path).output))
    #expect(try CommandRun("draw", model, "--model", model).status == 2)
  }

  @Test func thePictureIsTheSameEachTime() throws {
    let folder = try WorkFolder()
    let model = try BigModel.write(entities: 40, in: folder)
    let first = try CommandRun("draw", model).output
    #expect(try CommandRun("draw", model).output == first)
    #expect(try Picture(first).mistakes == [])
  }

  @Test func manyEntitiesAreDrawnWithoutLinesThroughBoxes() throws {
    let folder = try WorkFolder()
    let model = try BigModel.write(entities: 200, in: folder)
    let run = try CommandRun("draw", model)
    #expect(run.status == 0, "\(run.errors)")
    let picture = try Picture(run.output)
    #expect(picture.boxes.count == 200)
    #expect(picture.mistakes == [])
  }

  @Test func entitiesThatNothingJoinsStandInAGrid() throws {
    let folder = try WorkFolder()
    let entities = (1...30).map {
      "<entity name=\"Lone\($0)\"><attribute name=\"value\" attributeType=\"String\"/></entity>"
    }
    let model = try PetModel.write(
      PetModel.contents(entities.joined()), to: "Lone.xcdatamodel", in: folder)
    let picture = try Picture(try CommandRun("draw", model).output)
    #expect(picture.boxes.count == 30)
    #expect(Set(picture.boxes.map(\.x)).count > 2)
    #expect(Set(picture.boxes.map(\.y)).count > 2)
    #expect(picture.mistakes == [])
  }

  @Test func aModelWithoutEntitiesIsAnEmptyPicture() throws {
    let folder = try WorkFolder()
    let model = try PetModel.write(PetModel.contents(), to: "Empty.xcdatamodel", in: folder)
    let run = try CommandRun("draw", model)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try Picture(run.output).boxes.isEmpty)
  }

  @Test func relationshipsWithinAnEntityAreLoops() throws {
    let folder = try WorkFolder()
    let model = try PetModel.write(
      PetModel.contents(
        """
        <entity name="Folder">
        <relationship name="parent" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Folder" inverseName="children" inverseEntity="Folder"/>
        <relationship name="children" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Folder" inverseName="parent" inverseEntity="Folder"/>
        <relationship name="twin" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Folder" inverseName="twin" inverseEntity="Folder"/>
        </entity>
        """), to: "Folders.xcdatamodel", in: folder)
    let picture = try Picture(try CommandRun("draw", model).output)
    #expect(picture.routes.count == 2)
    #expect(picture.mistakes == [])
  }

  @Test func graphvizGetsTheSameContent() throws {
    let folder = try WorkFolder()
    let model = try PetModel.write(PetModel.usual, to: "Pets.xcdatamodel", in: folder)
    let run = try CommandRun("draw", model, "--format", "dot", "--title", "My \"pets\"")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.hasPrefix("digraph \"My \\\"pets\\\"\" {\n"))
    #expect(run.output.contains("<i>Animal</i>"))
    #expect(run.output.contains("arrowtail=empty"))
    #expect(run.output.contains("arrowhead=crowodot"))
  }

  @Test func thePlaceAndTheFormatAreChecked() throws {
    let folder = try WorkFolder()
    let model = try PetModel.write(PetModel.usual, to: "Pets.xcdatamodel", in: folder)
    #expect(try CommandRun("draw", model, "--format", "png").status == 2)
    #expect(try CommandRun("draw", model, "--to", folder.path("Pets.png")).status == 2)
    let target = folder.path("Pets.dot")
    #expect(try CommandRun("draw", model, "--to", target).status == 0)
    let again = try CommandRun("draw", model, "--to", target)
    #expect(again.status == 3)
    #expect(again.errors.contains("--replace"), "\(again.errors)")
    let json: [String: Any] = try CommandRun(
      "draw", model, "--to", target, "--replace", "--json"
    ).json()
    #expect(json["format"] as? String == "dot")
    #expect(json["entities"] as? Int == 4)
    let text: [String: Any] = try CommandRun("draw", model, "--json").json()
    #expect((text["picture"] as? String)?.hasPrefix("<svg") == true)
  }

  @Test func modelsAndStoresOfOthersAreDrawnWithoutLinesThroughBoxes() throws {
    for path in Fixtures.models + Fixtures.stores {
      let run = try CommandRun("draw", path)
      if run.status == 3 { continue }
      #expect(run.status == 0, "\(path): \(run.errors)")
      #expect(try Picture(run.output).mistakes == [], "\(path)")
    }
  }
}

/// A model with many entities that are linked at random, the same each time.
private enum BigModel {
  static func write(entities count: Int, in folder: WorkFolder) throws -> String {
    var state: UInt64 = 7
    func random(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % limit
    }
    var properties = Array(repeating: "", count: count)
    for link in 0..<count * 3 / 2 {
      let (one, other) = (random(count), random(count))
      properties[one] +=
        "<relationship name=\"r\(link)\" optional=\"YES\" toMany=\"YES\" deletionRule=\"Nullify\" destinationEntity=\"E\(other)\" inverseName=\"i\(link)\" inverseEntity=\"E\(other)\"/>"
      properties[other] +=
        "<relationship name=\"i\(link)\" optional=\"YES\" maxCount=\"1\" deletionRule=\"Nullify\" destinationEntity=\"E\(one)\" inverseName=\"r\(link)\" inverseEntity=\"E\(one)\"/>"
    }
    let entities = properties.enumerated().map { place, text in
      let parent = place % 9 == 4 ? " parentEntity=\"E\(place - 1)\"" : ""
      let attributes = (0..<random(9)).map {
        "<attribute name=\"a\(place)x\($0)\" optional=\"YES\" attributeType=\"String\"/>"
      }
      return "<entity name=\"E\(place)\"\(parent)>\(attributes.joined())\(text)</entity>"
    }
    return try PetModel.write(
      PetModel.contents(entities.joined(separator: "\n")), to: "Big.xcdatamodel", in: folder)
  }
}

/// The boxes and lines of a picture, read from its SVG.
private struct Picture {
  struct Box {
    let name: String
    let x: Double
    let y: Double
    let width: Double
    let height: Double
  }

  let text: String
  let boxes: [Box]
  let routes: [[(x: Double, y: Double)]]

  init(_ text: String) throws {
    self.text = text
    #expect(XMLParser(data: Data(text.utf8)).parse())
    let boxes = try NSRegularExpression(
      pattern:
        #"<g transform="translate\(([-\d.]+) ([-\d.]+)\)">\n<title>(.*?)</title>\n<rect class="box" width="([\d.]+)" height="([\d.]+)""#
    )
    let whole = NSRange(text.startIndex..., in: text)
    func part(_ match: NSTextCheckingResult, _ place: Int) -> String {
      Range(match.range(at: place), in: text).map { String(text[$0]) } ?? ""
    }
    func number(_ match: NSTextCheckingResult, _ place: Int) -> Double {
      Double(part(match, place)) ?? .nan
    }
    self.boxes = boxes.matches(in: text, range: whole).map {
      Box(
        name: part($0, 3), x: number($0, 1), y: number($0, 2), width: number($0, 4),
        height: number($0, 5))
    }
    let lines = try NSRegularExpression(
      pattern: #"<g class="line-group">\n<path class="[a-z]+" d="([^"]+)""#)
    routes = lines.matches(in: text, range: whole).map { match in
      let numbers = part(match, 1).split { !"-.0123456789".contains($0) }.compactMap {
        Double($0)
      }
      return stride(from: 0, to: numbers.count - 1, by: 2).map { (numbers[$0], numbers[$0 + 1]) }
    }
  }

  /// Boxes that overlap, and lines that run through boxes.
  var mistakes: [String] {
    var mistakes: [String] = []
    for (place, box) in boxes.enumerated() {
      for other in boxes[(place + 1)...]
      where box.x < other.x + other.width && other.x < box.x + box.width
        && box.y < other.y + other.height && other.y < box.y + box.height
      {
        mistakes.append("\(box.name) overlaps \(other.name)")
      }
    }
    for route in routes {
      for (from, to) in zip(route, route.dropFirst()) {
        for box in boxes
        where min(from.x, to.x) < box.x + box.width - 1 && max(from.x, to.x) > box.x + 1
          && min(from.y, to.y) < box.y + box.height - 1 && max(from.y, to.y) > box.y + 1
        {
          mistakes.append("a line runs through \(box.name)")
        }
      }
    }
    return mistakes
  }
}
