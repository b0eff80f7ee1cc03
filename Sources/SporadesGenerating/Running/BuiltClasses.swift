// SPDX-License-Identifier: MIT
package import FoundationEssentials
package import SporadesModel
import SporadesModelFiles

/// The classes of Core Data that a build makes, because their entities have the codegen "Class Definition" or
/// "Category/Extension" in the model.
///
/// The properties have code of their own: what `@NSManaged` leaves to the compiler's names needs no names here.
package struct BuiltClasses: Sendable {
  /// The declarations, without imports; empty if the model asks for none.
  package let text: String
  /// The modules that the declarations need, beside `CoreData`.
  package let imports: Set<String>
  /// The classes that the declarations extend and do not make.
  package let extended: Set<String>

  /// Makes the classes of a model's current version.
  ///
  /// - Parameters:
  ///   - url: The model's file, which tells what Xcode would make. A compiled one tells nothing.
  ///   - model: The model in the file.
  package init(of model: ManagedObjectModel, at url: URL) throws {
    guard let kinds = try ModelFile.codeGeneration(at: url), !kinds.isEmpty else {
      (text, imports, extended) = ("", [], [])
      return
    }
    var options = GenerationOptions()
    options.form = .managed
    options.scalarAttributes = try ModelFile.scalarAttributes(at: url)
    let form = try ManagedForm(model, "", options, only: Set(kinds.keys))
    (text, imports) = (form.buildText(kinds), form.buildImports(kinds))
    extended = Set(
      kinds.filter { $0.value == .category }.compactMap { form.classes[$0.key] })
  }
}
