// SPDX-License-Identifier: MIT
public import FoundationEssentials

extension ModelFile {
  /// The folders that are searched for models by name: the working directory, its `Models` and
  /// `Resources`, the program's folder, and the package manager's resource folders there.
  public static var searchFolders: [URL] {
    let files = FileManager.default
    let here = URL(fileURLWithPath: files.currentDirectoryPath, isDirectory: true)
    var folders = [
      here, here.appendingPathComponent("Models", isDirectory: true),
      here.appendingPathComponent("Resources", isDirectory: true),
    ]
    guard let folder = programFolder else { return folders }
    folders.append(folder)
    // `try?`, because a folder that cannot be listed offers no models.
    let names = (try? files.contentsOfDirectory(atPath: folder.path)) ?? []
    for name in names.sorted() where name.hasSuffix(".resources") || name.hasSuffix(".bundle") {
      folders.append(folder.appendingPathComponent(name, isDirectory: true))
    }
    return folders
  }

  /// The folder of the running program. Foundation's `Bundle` knows it too, but would make every program
  /// load all of Foundation.
  private static var programFolder: URL? {
    // Linux keeps the program's path in this link. The first argument can be a name without a path, which
    // the shell looked up. `try?`, because other systems have no such link.
    let link = "/proc/self/exe"
    let path = try? FileManager.default.destinationOfSymbolicLink(atPath: link)
    guard let path = path ?? CommandLine.arguments.first, path.contains("/") else { return nil }
    return URL(fileURLWithPath: path).resolvingSymlinksInPath().deletingLastPathComponent()
  }
}
