// SPDX-License-Identifier: MIT
public import FoundationEssentials

extension ModelFile {
  /// Where models are looked for by name: the working directory, its `Models` and `Resources`, the
  /// program's own folder, and the resource folders the package manager puts there.
  public static var searchFolders: [URL] {
    let files = FileManager.default
    let here = URL(fileURLWithPath: files.currentDirectoryPath, isDirectory: true)
    var folders = [
      here, here.appendingPathComponent("Models", isDirectory: true),
      here.appendingPathComponent("Resources", isDirectory: true),
    ]
    guard let folder = programFolder else { return folders }
    folders.append(folder)
    let names = (try? files.contentsOfDirectory(atPath: folder.path)) ?? []
    for name in names.sorted() where name.hasSuffix(".resources") || name.hasSuffix(".bundle") {
      folders.append(folder.appendingPathComponent(name, isDirectory: true))
    }
    return folders
  }

  /// Foundation's `Bundle` would know it, and cost a program all of Foundation.
  private static var programFolder: URL? {
    // Linux keeps the program's path there, however it was started; the first argument can be a
    // bare name that the shell found.
    let link = "/proc/self/exe"
    let path = (try? FileManager.default.destinationOfSymbolicLink(atPath: link))
    guard let path = path ?? CommandLine.arguments.first, path.contains("/") else { return nil }
    return URL(fileURLWithPath: path).resolvingSymlinksInPath().deletingLastPathComponent()
  }
}
