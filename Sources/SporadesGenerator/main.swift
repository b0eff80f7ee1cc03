// SPDX-License-Identifier: MIT
import FoundationEssentials
import SporadesGenerating
import SporadesModel
import SporadesModelFiles

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

// The tool of the plugin GenerateModels: writes the classes of one model into one file.

/// Writes lines beside the answers. Build systems show them.
func say(_ lines: [String]) {
  let bytes = Array(lines.map { $0 + "\n" }.joined().utf8)
  // The result is ignored, because there is no further place for a word about it.
  _ = unsafe bytes.withUnsafeBytes { unsafe write(2, $0.baseAddress, $0.count) }
}

/// Puts a word before each line, by which a build system knows its weight.
func marked(_ word: String, _ text: String) -> [String] {
  text.split(whereSeparator: \.isNewline).map { "\(word): \($0)" }
}

let arguments = CommandLine.arguments.dropFirst()
guard arguments.count == 2, let model = arguments.first, let file = arguments.last else {
  say(["usage: SporadesGenerator MODEL FILE"])
  exit(2)
}
do {
  let url = URL(fileURLWithPath: model)
  let reading = try ModelFile.read(url)
  let (generated, remarks) = try Generation.singleFile(
    of: reading.model, named: url.deletingPathExtension().lastPathComponent)
  for remark in remarks { say(marked("warning", remark)) }
  let (place, bytes) = (URL(fileURLWithPath: file), Data(generated.text.utf8))
  // A file that stays the same is not compiled again. `try?`, because there may be no file yet.
  if (try? Data(contentsOf: place)) != bytes { try bytes.write(to: place) }
} catch {
  say(marked("error", "\(error)"))
  exit(3)
}
