// swift-tools-version: 6.2
import CompilerPluginSupport
import Foundation
import PackageDescription

let swiftSyntax = SwiftSyntax()
let plugins = ["GenerateModels", "GenerateAccessors"]

let package = Package(
  name: "Sporades",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    "Sporades", "SporadesTesting", "SporadesModel", "SporadesModelFiles", "SporadesContainers",
    "SporadesXcode", "SporadesStore", "SporadesChain", "SporadesGraph", "SporadesLive",
    "SporadesDAL", "SporadesImport", "SporadesStatements", "SporadesHistory", "SporadesCare",
    "SporadesAudit", "SporadesExplaining", "SporadesFoundation", "SporadesSQL", "SporadesSQLite",
    "SporadesPostgreSQL", "SporadesServerStages", "SporadesExistingTables", "SporadesPlans",
    "SporadesMoving", "SporadesSearch", "SporadesServerSearch", "SporadesSearchTesting",
    "SporadesIndexing",
  ].map { .library(name: $0, targets: [$0]) } + [
    .executable(name: "sporades", targets: ["SporadesCommand"])
  ] + plugins.map { .plugin(name: $0, targets: [$0]) },
  dependencies: swiftSyntax.packages,
  targets: [
    // Values without input or output: models, rows, ids, predicates, fetch requests.
    .target(name: "SporadesModel"),
    // The archives in which stores and compiled files keep models, read into the values above.
    .module("SporadesArchives", "SporadesModel", "CZlib"),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    // Xcode's model files, read into the values above and written from them.
    .module("SporadesModelFiles", "SporadesModel", "SporadesArchives", "CSystem"),
    // Swift files of models: the classes that the program writes, and that the plugin adds to a build.
    .module("SporadesGenerating", "SporadesModel", "SporadesModelFiles"),
    .program("SporadesGenerator", "SporadesGenerating", "SporadesAccessors"),
    // The code behind `@NSManaged` declarations, out of Swift files.
    .target(name: "SporadesAccessors"),
    // The seam between objects and databases.
    .module("SporadesStore", "SporadesModel"),
    // The rows that a fetch chooses in memory, for stores whose database does not choose all of them.
    .module("SporadesSelection", "SporadesModel", "SporadesStore"),
    // Everything of one store into another one. Programs that do not import it do not load it.
    .module("SporadesMoving", "SporadesModel", "SporadesStore"),
    // The order in which saves are executed, published and committed; it knows rows and no objects.
    .module("SporadesChain", "SporadesModel", "SporadesStore", "CSystem"),
    // Contexts and managed objects; they know stores and no SQL.
    .module("SporadesGraph", "SporadesModel", "SporadesStore", "SporadesChain", "CSystem"),
    // Results of fetches, and single objects, that follow changes. Programs that do not import it do not load it.
    .module("SporadesLive", "SporadesModel", "SporadesChain", "SporadesGraph"),
    // Calls of the operating system that its Swift modules leave out.
    .target(name: "CSystem"),
    // Services with `read {}` and `write {}` on a chain of contexts.
    .ring("SporadesDAL", "CSystem"),
    // Files and sequences of records into objects, and objects into files. Programs that do not import it do not load it.
    .ring("SporadesImport", "SporadesDAL", "CSystem"),
    // Statements as values; they know models and no objects.
    .module("SporadesSQL", "SporadesModel", "SporadesStore"),
    // The ways in which databases find rows, in sentences. Programs that name none of them do not load it.
    .module("SporadesPlans", "SporadesModel", "SporadesStore", "SporadesSQL"),
    .module(
      "SporadesSQLite", "SporadesModel", "SporadesArchives", "SporadesStore", "SporadesSQL",
      "CSQLite", "CSystem"),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    // The same objects on a server. Programs that do not import it need no libpq.
    .ring(
      "SporadesPostgreSQL", "SporadesArchives", "SporadesSelection", "SporadesMoving",
      "SporadesDAL", "SporadesSQL", "SporadesPlans", "CPostgreSQL"),
    // Objects in tables of a server that existed before. Programs that do not import it do not load it.
    .module(
      "SporadesExistingTables", "SporadesModel", "SporadesStore", "SporadesGraph", "SporadesDAL",
      "SporadesSQL", "SporadesPlans", "SporadesPostgreSQL"),
    // No pkg-config, because a package that depends on this one would warn of it where libpq is missing.
    .systemLibrary(name: "CPostgreSQL", providers: [.apt(["libpq-dev"])]),
    // Statements of SQL that programs write, over objects. Programs that do not import it do not load it.
    .ring("SporadesStatements", "SporadesSQL", "SporadesSQLite"),
    // Histories, read, followed, filtered and shortened. Programs that do not import it do not load it, and write histories.
    .ring("SporadesHistory", "SporadesDAL", "SporadesSQLite"),
    // Full text, in step with the rows, in files and on servers. Programs that do not import it do not load it.
    .ring("SporadesSearch", "SporadesDAL", "SporadesSQL", "SporadesSQLite"),
    .ring("SporadesServerSearch", "SporadesSQL", "SporadesPostgreSQL", "SporadesSearch"),
    // An outside index that follows the history. Programs that do not import it do not load it.
    .ring("SporadesIndexing", "SporadesDAL", "SporadesHistory"),
    // The damages of a store. Programs that do not import it do not load it.
    .module("SporadesCare", "SporadesStore", "SporadesSQLite"),
    // The values before and after each change, of attributes that ask for that. Programs that do not import it do not load it.
    .ring("SporadesAudit", "SporadesSQL", "SporadesSQLite", "SporadesHistory"),
    // The way in which a store answers a request, and reports of slow fetches. Programs that do not import it do not load it.
    .ring("SporadesExplaining", "SporadesSQL", "SporadesSQLite", "SporadesPlans"),
    // What the macros write. Tests depend on it alone: SwiftPM builds all that tests of a plugin use a second time.
    .target(
      name: "SporadesMacros",
      dependencies: swiftSyntax.products([
        "SwiftDiagnostics", "SwiftParser", "SwiftSyntax", "SwiftSyntaxBuilder", "SwiftSyntaxMacros",
      ]),
      swiftSettings: swiftSyntax.search, linkerSettings: swiftSyntax.link),
    .macro(
      name: "SporadesPlugin",
      dependencies: ["SporadesMacros"]
        + swiftSyntax.products(["SwiftSyntaxMacros", "_SwiftCompilerPluginMessageHandling"]),
      swiftSettings: swiftSyntax.search, linkerSettings: swiftSyntax.link),
    .ring("Sporades", "SporadesDAL", "SporadesSQLite", "SporadesPlugin"),
    // Containers, and several stores behind one coordinator. Programs that do not import it do not load it.
    .module(
      "SporadesContainers", "Sporades", "SporadesModel", "SporadesStore", "SporadesSelection",
      "SporadesMoving", "SporadesGraph", "SporadesDAL", "SporadesSQLite"),
    // Stores of models that Xcode keeps: services and containers, and the versions and mapping models of their migration.
    .ring(
      "SporadesXcode", "Sporades", "SporadesContainers", "SporadesModelFiles", "SporadesDAL",
      "SporadesSQL", "SporadesSQLite"),
    // Plans of stages for stores on servers. Programs that do not import it do not load it.
    .ring("SporadesServerStages", "Sporades", "SporadesSQLite", "SporadesPostgreSQL"),
    // The program `sporades`. A target of the product's name would be that of the library on disks that do not tell case.
    .program(
      "SporadesCommand", "SporadesModel", "SporadesModelFiles", "SporadesStore", "SporadesSQLite",
      "SporadesImport", "SporadesXcode", "SporadesPlans", "SporadesExplaining", "SporadesCare",
      "SporadesGraph", "SporadesDAL", "SporadesMoving", "SporadesSQL", "SporadesGenerating",
      "SporadesAccessors"),
    // Foundation's sort descriptors and orders of languages. Programs that do not import it do not load Foundation.
    .target(
      name: "SporadesFoundation", dependencies: ["SporadesModel", "SporadesGraph"],
      linkerSettings: [.linkedLibrary("_FoundationICU", .when(platforms: [.linux]))]),
    // One check per rule of the store contract, for stores of any make, and the store in memory that they compare with.
    .module("SporadesTesting", "SporadesModel", "SporadesStore", "SporadesSelection"),
    .ring("SporadesSearchTesting", "SporadesSearch", "SporadesTesting"),

    .tests("SporadesModelTests", "SporadesModel"),
    .tests("SporadesAccessorsTests", "SporadesAccessors", "SporadesGenerator"),
    .tests("SporadesArchivesTests", "SporadesModel", "SporadesArchives", "SporadesTesting"),
    .tests("SporadesModelFilesTests", "SporadesModel", "SporadesModelFiles"),
    .tests("SporadesStoreTests", "SporadesModel", "SporadesStore", "SporadesTesting"),
    .tests(
      "SporadesChainTests", "SporadesModel", "SporadesStore", "SporadesChain", "SporadesTesting"),
    .tests("SporadesSQLTests", "SporadesModel", "SporadesStore", "SporadesSQL"),
    .tests(
      "SporadesGraphTests", "SporadesModel", "SporadesModelFiles", "SporadesStore", "SporadesChain",
      "SporadesGraph", "SporadesSQL", "SporadesSQLite", "SporadesTesting", "Sporades",
      "SporadesContainers", "SporadesXcode", "SporadesExplaining", "SporadesFoundation",
      "SporadesHistory", "SporadesCare", "TestServer", "CSQLite"),
    // A server of PostgreSQL that ends with the tests.
    .target(
      name: "TestServer", dependencies: ["SporadesModel", "SporadesStore", "SporadesPostgreSQL"],
      path: "Tests/TestServer"),
    .tests(
      "SporadesLiveTests", "Sporades", "SporadesContainers", "SporadesModel", "SporadesLive",
      "SporadesFoundation", "SporadesTesting"),
    .tests(
      "SporadesDALTests", "SporadesModel", "SporadesStore", "SporadesDAL", "SporadesTesting",
      "LifecycleProbe"),
    // Started as a child process by the tests above, and sent real signals.
    .probe("LifecycleProbe", "SporadesModel", "SporadesDAL", "CProbeSignals"),
    .target(name: "CProbeSignals", path: "Tests/CProbeSignals"),
    .tests(
      "SporadesSQLiteTests", "SporadesModel", "SporadesArchives", "SporadesModelFiles",
      "SporadesStore", "SporadesChain", "SporadesGraph", "SporadesSQL", "SporadesSQLite",
      "SporadesTesting", "SporadesFoundation", "Sporades", "SporadesContainers",
      "SporadesExplaining", "SporadesXcode", "SporadesHistory", "SporadesCare",
      "SporadesPostgreSQL", "SporadesServerStages", "SporadesMoving", "TestServer", "CSQLite"),
    .tests(
      "SporadesPostgreSQLTests", "TestServer", "Sporades", "SporadesModel", "SporadesModelFiles",
      "SporadesStore", "SporadesMoving", "SporadesGraph", "SporadesSQL", "SporadesPlans",
      "SporadesSQLite", "SporadesPostgreSQL", "SporadesServerStages", "SporadesContainers",
      "SporadesXcode", "SporadesHistory", "SporadesTesting", "SporadesFoundation", "MoveStoreProbe"),
    // The program of Scripts/move-store, which the tests above start.
    .probe(
      "MoveStoreProbe", in: "Tools/MoveStore/Sources/MoveStore", "SporadesModel", "SporadesStore",
      "SporadesMoving", "SporadesSQLite", "SporadesPostgreSQL"),
    .tests(
      "SporadesExistingTablesTests", "TestServer", "Sporades", "SporadesModel",
      "SporadesModelFiles", "SporadesStore", "SporadesMoving", "SporadesSQLite",
      "SporadesPostgreSQL", "SporadesExistingTables"),
    .tests(
      "SporadesTests", "Sporades", "SporadesContainers", "SporadesExplaining", "SporadesLive",
      "SporadesXcode", "SporadesHistory", "SporadesCare", "SporadesTesting", "SporadesPostgreSQL",
      "TestServer", "CSQLite"),
    .tests(
      "SporadesImportTests", "SporadesHistory", "Sporades", "SporadesImport", "SporadesModel",
      "SporadesTesting"),
    .tests(
      "SporadesStatementsTests", "Sporades", "SporadesContainers", "SporadesStatements",
      "SporadesModel", "SporadesStore", "SporadesSQLite", "SporadesTesting", "CSQLite"),
    .tests(
      "SporadesAuditTests", "Sporades", "SporadesContainers", "SporadesHistory", "SporadesAudit",
      "SporadesTesting", "CSQLite"),
    .tests(
      "SporadesSearchTests", "Sporades", "SporadesContainers", "SporadesSearch", "SporadesModel",
      "SporadesStore", "SporadesSQLite", "SporadesTesting", "SporadesSearchTesting", "CSQLite"),
    .tests("SporadesIndexingTests", "Sporades", "SporadesHistory", "SporadesIndexing"),
    .tests(
      "SporadesServerSearchTests", "Sporades", "SporadesModel", "SporadesStore", "SporadesSearch",
      "SporadesServerSearch", "SporadesPostgreSQL", "SporadesTesting", "SporadesSearchTesting",
      "TestServer"),
    .tests("SporadesCommandTests", "Sporades", "SporadesModelFiles", "SporadesCommand", "CSQLite"),
    // Started as a child process by the tests below, to read what was damaged on purpose.
    .probe(
      "MutantProbe", "SporadesModel", "SporadesModelFiles", "SporadesStore", "SporadesChain",
      "SporadesGraph", "SporadesSQLite", "SporadesContainers", "SporadesXcode", "SporadesCare",
      "CSQLite"),
    .tests("MutantTests", "MutantProbe"),
    // Starts examples as child processes, and stops and kills them.
    .tests("CrashTests", "Sporades", "SporadesCare", "JournalProbe", "MirrorProbe", "CatalogProbe"),
    // Started as child processes by the tests below, several on one file.
    .probe(
      "ProcessProbe", "Sporades", "SporadesContainers", "SporadesHistory", "SporadesSearch",
      "SporadesCare"),
    .tests(
      "ProcessTests", "Sporades", "SporadesContainers", "SporadesHistory", "SporadesSearch",
      "SporadesCare", "SporadesTesting", "ProcessProbe", "CSQLite"),
    // Starts the example as a child process, on files that Apple's frameworks wrote.
    .tests("FromTheAppTests", "Sporades", "FromTheAppProbe", "CSQLite"),
    .testTarget(
      name: "SporadesMacrosTests",
      dependencies: ["SporadesMacros", "SporadesModel", "SporadesModelFiles"]
        + swiftSyntax.products([
          "SwiftDiagnostics", "SwiftParser", "SwiftSyntax", "SwiftSyntaxMacroExpansion",
          "SwiftSyntaxMacros",
        ]),
      swiftSettings: swiftSyntax.search, linkerSettings: swiftSyntax.link),
  ]
)

// The examples, for the tests that start them and for Scripts/check-examples.
for (name, products) in [
  ("QuickStart", []), ("MailBox", []), ("Journal", []), ("FromTheApp", ["SporadesXcode"]),
  ("LiveBoard", []), ("Mirror", ["SporadesHistory"]), ("Import", ["SporadesImport"]),
  ("Fleet", ["SporadesPostgreSQL"]), ("Catalog", ["SporadesHistory", "SporadesIndexing"]),
] as [(String, [Target.Dependency])] {
  package.targets += [
    .executableTarget(
      name: "\(name)Probe", dependencies: ["Sporades"] + products, path: "Examples/Sources/\(name)")
  ]
}
package.targets += plugins.map {
  .plugin(name: $0, capability: .buildTool(), dependencies: ["SporadesGenerator"])
}

#if os(Linux)
  let doors = ["CoreData", "Skopelos"]
  package.targets += [
    // Predicates of formats, key-value coding, undo managers and more: parts of Foundation that Linux lacks.
    .module("SporadesMissingFoundation", "SporadesModel", "SporadesChain", "CImageTypes"),
    .target(name: "CImageTypes"),
    .tests("SporadesMissingFoundationTests", "SporadesModel", "SporadesMissingFoundation"),
    // Stands between a program and libc: a call fails, or the process ends there.
    .target(name: "CFaults", path: "Tests/CFaults"),
    // Started by the tests below, none of which depends on it: its open() and write() would become those of all tests.
    .executableTarget(
      name: "FaultProbe",
      dependencies: ["Sporades", "SporadesContainers", "SporadesXcode", "CFaults"],
      path: "Tests/FaultProbe", linkerSettings: [.unsafeFlags(["-Xlinker", "--export-dynamic"])]),
    .tests(
      "FaultTests", "Sporades", "SporadesContainers", "SporadesXcode", "SporadesCare", "CSQLite"),
    // Core Data's names and Skopelos's on the same stack. Programs that do not import them do not load them.
    .ring(
      "CoreData", "SporadesMissingFoundation", "Sporades", "SporadesContainers",
      "SporadesModelFiles", "SporadesSQLite", "SporadesXcode", "SporadesHistory", "SporadesLive",
      "CImageTypes"),
    .module("Skopelos", "CoreData", "SporadesDAL", "SporadesGraph", "SporadesModel"),
    .tests("CoreDataTests", "CoreData"), .tests("SkopelosTests", "CoreData", "Skopelos"),
    .tests("ArticleTests", "CoreData", "Skopelos", "ArticleClasses"),
    .target(
      name: "ArticleClasses", dependencies: ["CoreData"], path: "Tests/ArticleClasses",
      plugins: ["GenerateAccessors"]),
    .executableTarget(
      name: "AppOnLinuxProbe", dependencies: ["CoreData"], path: "Examples/Sources/AppOnLinux",
      plugins: ["GenerateAccessors"]),
  ]
#else
  // Apple's platforms have the framework and the library.
  let doors = ["CoreDataElsewhere", "SkopelosElsewhere"]
  package.targets += doors.map { .target(name: $0) }
#endif
package.products += zip(["SporadesCoreData", "SporadesSkopelos"], doors).map {
  .library(name: $0, targets: [$1])
}

// Those in C, and a program that is written for Apple's platforms.
let cTargets = ["CImageTypes", "CSystem", "CFaults", "CProbeSignals", "AppOnLinuxProbe"]
let features: [SwiftSetting] = [
  "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "ImmutableWeakCaptures",
  "InferIsolatedConformances", "NonisolatedNonsendingByDefault",
].map { .enableUpcomingFeature($0) }
for target in package.targets
where ![.system, .plugin].contains(target.type) && !cTargets.contains(target.name) {
  target.swiftSettings =
    (target.swiftSettings ?? []) + features + [
      .strictMemorySafety(),
      .treatAllWarnings(as: .error),
      // The linker can then leave out each function that a program does not use.
      .unsafeFlags(
        ["-Xfrontend", "-function-sections", "-Xfrontend", "-internalize-at-link"],
        .when(platforms: [.linux], configuration: .release)),
    ]
}

// Snippets of articles are in the Swift of their time, whose warnings are those of Apple's platforms.
for target in package.targets where target.name.hasPrefix("Article") {
  target.swiftSettings = [.swiftLanguageMode(.v5), .unsafeFlags(["-suppress-warnings"])]
}

// The debug build of a program runs this library optimized, because -Onone makes it six times slower. A checkout of a package
// that is being built lies in a folder of that name. The library's own debug build is plain; SPORADES_OPTIMIZED=1 gives the other.
let folder = URL(fileURLWithPath: Context.packageDirectory).deletingLastPathComponent()
if folder.lastPathComponent == "checkouts" || Context.environment["SPORADES_OPTIMIZED"] == "1" {
  // An optimized module prints the sentence of a failed precondition only with -assert-config Debug.
  let flags =
    "-O -assert-config Debug -whole-module-optimization -num-threads 2 -disable-batch-mode"
    .split(separator: " ").map(String.init)
  for target in package.targets where target.type == .regular {
    guard !(cTargets + ["SporadesMacros"]).contains(target.name) else { continue }
    target.swiftSettings =
      (target.swiftSettings ?? []) + [.unsafeFlags(flags, .when(configuration: .debug))]
  }
}

// A run under a sanitizer compiles only the suites it runs, and what these start: Scripts/test names what to leave out.
let leftOut = Context.environment["SPORADES_LEFT_OUT_TESTS"]?.split(separator: "\n") ?? []
if !leftOut.isEmpty {
  package.targets.removeAll { $0.type == .test && leftOut.contains(testFolder(of: $0)[...]) }
  let tests = package.targets.filter { $0.type == .test }
  let started = Set(  // The plugin starts the generator.
    ["SporadesGenerator"] + tests.flatMap { $0.dependencies.compactMap(targetName) })
  package.targets.removeAll { target in
    // What tests do not depend on has their name: FaultTests start FaultProbe.
    target.type == .executable && !started.contains(target.name)
      && !tests.contains { $0.name == target.name.replacingOccurrences(of: "Probe", with: "Tests") }
  }
  let targets = Set(package.targets.map(\.name))
  package.products.removeAll {
    ($0 as? Product.Executable)?.targets.allSatisfy(targets.contains) == false
  }
  for target in tests {
    let folder = testFolder(of: target) + "/"
    let own = leftOut.filter { $0.hasPrefix(folder) }
    target.exclude += own.map { String($0.dropFirst(folder.count)) }
  }
}

extension Target {
  static func module(_ name: String, _ dependencies: Dependency...) -> Target {
    .target(name: name, dependencies: dependencies)
  }
  /// A module that knows contexts, and all that these know.
  static func ring(_ name: String, _ dependencies: Dependency...) -> Target {
    let graph = ["SporadesModel", "SporadesStore", "SporadesChain", "SporadesGraph"]
    return .target(name: name, dependencies: graph.map { .init(stringLiteral: $0) } + dependencies)
  }
  static func program(_ name: String, _ dependencies: Dependency...) -> Target {
    .executableTarget(name: name, dependencies: dependencies)
  }
  static func probe(_ name: String, in path: String? = nil, _ uses: Dependency...) -> Target {
    .executableTarget(name: name, dependencies: uses, path: path ?? "Tests/\(name)")
  }
  static func tests(_ name: String, _ dependencies: Dependency...) -> Target {
    .testTarget(name: name, dependencies: dependencies)
  }
}

func testFolder(of target: Target) -> String { target.path ?? "Tests/\(target.name)" }

func targetName(_ dependency: Target.Dependency) -> String? {
  if case .byNameItem(let name, _) = dependency { name } else { nil }
}

/// What the macro plugin and its tests are built with: the SwiftSyntax that lies in the toolchain, so that a fresh machine
/// needs no download; or the package of that name where the toolchain has none, as Xcode's has none.
struct SwiftSyntax {
  /// The folder of the toolchain that has the modules; nil for the package.
  let folder: String?

  init() {
    let paths = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let compilers = paths.map { URL(fileURLWithPath: "\($0)/swiftc").resolvingSymlinksInPath() }
    // `lib/swift/host` beside `bin`
    let folders =
      compilers.map { $0.deletingLastPathComponent().deletingLastPathComponent().path }
      .map { "\($0)/lib/swift/host" } + ["/usr/lib/swift/host"]
    let found = folders.first {
      FileManager.default.fileExists(atPath: "\($0)/SwiftSyntax.swiftmodule")
    }
    folder = Context.environment["SPORADES_SWIFT_SYNTAX_PACKAGE"] == "1" ? nil : found
  }

  var packages: [Package.Dependency] {
    let url = "https://github.com/swiftlang/swift-syntax.git"
    return folder == nil ? [.package(url: url, "602.0.0"..<"604.0.0")] : []
  }
  func products(_ names: [String]) -> [Target.Dependency] {
    folder == nil ? names.map { .product(name: $0, package: "swift-syntax") } : []
  }
  var search: [SwiftSetting] { folder.map { [.unsafeFlags(["-I", $0])] } ?? [] }

  var link: [LinkerSetting] {
    guard let folder else { return [] }
    let libraries = [
      "Syntax", "SyntaxMacros", "SyntaxBuilder", "Diagnostics", "Parser", "ParserDiagnostics",
      "BasicFormat", "Operators", "SyntaxMacroExpansion", "CompilerPluginMessageHandling",
    ]
    let place = ["-L", folder, "-Xlinker", "-rpath", "-Xlinker", folder]
    return [.unsafeFlags(place + libraries.map { "-lSwift\($0)" })]
  }
}
