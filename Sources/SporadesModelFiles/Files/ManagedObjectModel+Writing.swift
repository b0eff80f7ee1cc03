// SPDX-License-Identifier: MIT
public import FoundationEssentials
public import SporadesModel

extension ManagedObjectModel {
  /// Writes the model in the form that the URL's ending names: `.xcdatamodeld` or `.xcdatamodel`, as Xcode keeps
  /// models, or `.momd` or `.mom`, as Xcode compiles them. A folder of versions gets this one, under the folder's
  /// name.
  ///
  /// The call writes all or nothing. It refuses to replace what is there, unless you pass true; it then replaces
  /// a folder of versions with all its versions. To add a version call
  /// ``/SporadesModelFiles/ModelFile/add(_:named:to:makingCurrent:)``.
  ///
  /// - Returns: The parts that the form cannot hold, such as validation predicates in an `.xcdatamodel`. None of
  ///   them decides the form of stores: the written model has the same version hashes.
  @discardableResult
  public func write(
    to url: URL, replacing: Bool = false
  ) throws(ModelError) -> [ModelWarning] {
    let form = try ModelForm(url)
    guard !form.holdsVersions else {
      let name = url.deletingPathExtension().lastPathComponent
      return try ModelFile.write([(name, self)], current: name, to: url, replacing: replacing)
    }
    let (item, omissions) = try form.item(of: self)
    try ModelFile.checkReplacing(url, form, replacing)
    try FileWriting.write(item, to: url, replacing: replacing)
    return omissions
  }
}

extension ModelFile {
  /// Writes several versions of a model into an `.xcdatamodeld` or `.momd`, by their names.
  ///
  /// The call writes all or nothing, as ``SporadesModel/ManagedObjectModel/write(to:replacing:)`` does, and returns
  /// the parts that the form cannot hold.
  @discardableResult
  public static func write(
    _ versions: [(name: String, model: ManagedObjectModel)], current: String, to url: URL,
    replacing: Bool = false
  ) throws(ModelError) -> [ModelWarning] {
    let form = try ModelForm(url)
    guard form.holdsVersions else {
      throw FileWriting.refusal(
        url, "holds one version of a model; end the name with .xcdatamodeld or .momd.")
    }
    try check(versions.map(\.name), current: current, at: url)
    var items: [(name: String, item: WrittenItem)] = []
    var omissions: [ModelWarning] = []
    for (name, model) in versions {
      let (item, left) = try form.ofVersion.item(of: model)
      items.append((name + form.versionEnding, item))
      omissions += left
    }
    let list = try form.list(of: versions, current: current)
    items.append((form.listName, .file(list)))
    try checkReplacing(url, form, replacing)
    try FileWriting.write(.folder(items), to: url, replacing: replacing)
    return omissions
  }

  /// Adds a version to an `.xcdatamodeld` or `.momd`, whose other versions stay as they are.
  ///
  /// The version is written first, and becomes the current one last: a program that stops between the two
  /// leaves the folder with its former current version.
  @discardableResult
  public static func add(
    _ model: ManagedObjectModel, named name: String, to url: URL, makingCurrent: Bool = true
  ) throws(ModelError) -> [ModelWarning] {
    let form = try ModelForm(url)
    guard form.holdsVersions else {
      throw FileWriting.refusal(
        url, "holds one version of a model; add versions to an .xcdatamodeld or .momd.")
    }
    let present = try versions(at: url)
    try check(present.map(\.name) + [name], current: name, at: url)
    let former = present.first(where: \.isCurrent)?.name
    // Two versions without a list have no current one, so the list comes first.
    if form == .sources, let former {
      try writeList(of: [], current: former, form, at: url)
    }
    let (item, omissions) = try form.ofVersion.item(of: model)
    try FileWriting.write(
      item, to: url.appendingPathComponent(name + form.versionEnding), replacing: false)
    guard makingCurrent || form == .allCompiled else { return omissions }
    var all: [(name: String, model: ManagedObjectModel)] = []
    if form == .allCompiled {
      for version in present { all.append((version.name, try version.model())) }
      all.append((name, model))
    }
    try writeList(of: all, current: makingCurrent ? name : former ?? name, form, at: url)
    return omissions
  }

  private static func writeList(
    of versions: [(name: String, model: ManagedObjectModel)], current: String, _ form: ModelForm,
    at url: URL
  ) throws(ModelError) {
    try FileWriting.write(
      .file(form.list(of: versions, current: current)),
      to: url.appendingPathComponent(form.listName), replacing: true)
  }

  // MARK: - Checks

  private static func check(
    _ names: [String], current: String, at url: URL
  ) throws(ModelError) {
    for name in names
    where name.isEmpty || name.hasPrefix(".") || name.contains("/")
      || name.unicodeScalars.contains(where: { $0.value < 0x20 })
    {
      throw FileWriting.refusal(
        url, "cannot hold a version named \"\(name)\"; use a name that a file can have.")
    }
    let unique = Set(names)
    guard unique.count == names.count else {
      throw FileWriting.refusal(url, "would hold two versions of one name; rename one of them.")
    }
    guard unique.contains(current) else {
      throw FileWriting.refusal(
        url, "would hold no version named \(current); make one of its versions the current one.")
    }
  }

  /// Refuses to replace a file where the form is a folder, and a folder with files that are no part of a model.
  static func checkReplacing(
    _ url: URL, _ form: ModelForm, _ replacing: Bool
  ) throws(ModelError) {
    guard replacing, FileManager.default.fileExists(atPath: url.path) else { return }
    let isFile = form == .compiled || form == .contents
    guard FileReading.isFolder(url) else {
      if isFile { return }
      throw FileWriting.refusal(
        url, "is a file, and this form of a model is a folder; remove it, or choose another name.")
    }
    guard !isFile else {
      throw FileWriting.refusal(url, "is a folder; remove it, or choose another name.")
    }
    let names: [String]
    do {
      names = try FileManager.default.subpathsOfDirectory(atPath: url.path)
    } catch {
      throw FileWriting.refusal(
        url, "cannot be listed (\(FileFailure.reason(error))); check its permissions.")
    }
    let known: Set = [
      "contents", "elements", "layout", ".xccurrentversion", "VersionInfo.plist", ".DS_Store",
    ]
    let endings = [".xcdatamodel", ".mom", ".omo"]
    let strange = names.sorted().first { path in
      let name = path.split(separator: "/").last.map(String.init) ?? path
      return !known.contains(name) && !endings.contains { name.hasSuffix($0) }
    }
    if let strange {
      throw FileWriting.refusal(
        url, "holds \(strange), which is no part of a model, and is not replaced; move it away.")
    }
  }
}
