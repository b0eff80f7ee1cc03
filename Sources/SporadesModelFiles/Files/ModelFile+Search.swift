// SPDX-License-Identifier: MIT
public import Foundation

extension ModelFile {
  /// Where models are looked for by name: the working directory, its `Models` and `Resources`, the
  /// program's own folder and resources, and the resource folders the package manager puts there.
  public static var searchFolders: [URL] {
    let files = FileManager.default
    let here = URL(fileURLWithPath: files.currentDirectoryPath, isDirectory: true)
    var folders = [
      here, here.appendingPathComponent("Models", isDirectory: true),
      here.appendingPathComponent("Resources", isDirectory: true),
    ]
    if let program = Bundle.main.executableURL?.resolvingSymlinksInPath() {
      let folder = program.deletingLastPathComponent()
      folders.append(folder)
      let names = (try? files.contentsOfDirectory(atPath: folder.path)) ?? []
      for name in names.sorted() where name.hasSuffix(".resources") || name.hasSuffix(".bundle") {
        folders.append(folder.appendingPathComponent(name, isDirectory: true))
      }
    }
    if let resources = Bundle.main.resourceURL { folders.append(resources) }
    return folders
  }
}
