// SPDX-License-Identifier: MIT

extension Verb {
  /// The verbs that write Swift.
  static let generateVerbs: [Verb] = [.generate, .port]

  static let generate = Verb(
    name: "generate", group: .generate, summary: "Write Swift classes for a model",
    operands: [
      Operand(
        name: "MODEL", text: "The model: an .xcdatamodeld, .xcdatamodel, .momd or .mom.",
        count: .optional)
    ],
    options: generateOptions, details: generateDetails,
    examples: [
      "sporades generate Shop.xcdatamodeld --output Sources/Shop/Model",
      "sporades generate Shop.xcdatamodeld --output Model --form managed",
      "sporades generate Shop.xcdatamodeld --output Model --orphaned",
    ]
  ) { invocation in
    guard invocation.isBare else { return try GenerateRun(invocation).run() }
    guard let arguments = try ArgumentFile.arguments() else {
      throw invocation.mistake("MODEL is missing, and this folder has no \(ArgumentFile.name).")
    }
    let inner = try Invocation(
      invocation.verb, arguments + (invocation.isJSON ? ["--json"] : []), invocation.output)
    guard !inner.isBare, !inner.has("help") else {
      throw invocation.mistake("\(ArgumentFile.name) names no MODEL.")
    }
    return try GenerateRun(inner).run()
  }

  private static let generateOptions = [
    VerbOption(name: "output", value: "DIR", text: "The folder of the files."),
    VerbOption(
      name: "machine-dir", value: "DIR",
      text: "The folder of the files that each run replaces. Else that of --output."),
    VerbOption(
      name: "human-dir", value: "DIR",
      text: "The folder of the files that are made once. Else that of --output."),
    VerbOption(
      name: "form", value: "FORM",
      text:
        "entity: classes of Sporades with @Entity, which is the usual form. managed: classes of Core Data as Xcode "
        + "generates them, with @NSManaged."),
    VerbOption(
      name: "public", text: "Write public classes of Sporades, which other modules can use."),
    VerbOption(
      name: "typed-ids",
      text: "Write a type for the ids of each class: CustomerID holds the id of a Customer."),
    VerbOption(
      name: "configuration", value: "NAME", text: "Only the entities of this configuration."),
    VerbOption(
      name: "base-class", value: "NAME",
      text: "The class from which the classes without a superentity inherit."),
    VerbOption(
      name: "template-path", value: "DIR", text: "The folder of templates for the texts."),
    VerbOption(
      name: "template-var", value: "NAME=VALUE",
      text: "A value that templates print with {{var.NAME}}.", repeats: true),
    VerbOption(name: "list", text: "Print the names of the files, and write nothing."),
    VerbOption(
      name: "orphaned",
      text:
        "Print the files of former runs whose entity the model no longer has, and write nothing. The program ends with 1 "
        + "if there are any."),
    VerbOption(
      name: "replace",
      text: "Replace files that have the name of a generated one and were made by others."),
  ]

  private static let generateDetails = [
    "Each entity gets two files. The machine's file, _User.swift, is written again in each run if its text changes. The "
      + "human file, User.swift, is made once and never changed: it holds an extension of the class for your code. The "
      + "macro needs the properties in the class, so the class is in the machine's file. A further file, _Shop.swift, "
      + "has the list of the classes and makes their model. With --form managed, the files are "
      + "User+CoreDataClass.swift (human) and User+CoreDataProperties.swift (machine), and entities of the class "
      + "NSManagedObject get none.",
    "Each class also gets enums with the names of its properties and notes, and a function for each fetch request template "
      + "of the model: template byName gives fetchByName(in:name:). It returns an array, or one object or nil if the "
      + "template's name begins with one. Where such a template finds several objects, the function returns the first "
      + "and writes a line to standard error.",
    "Notes in the user info of the model change the classes. Of entities: mogenerator.customBaseClass, additionalImports. "
      + "Of attributes: attributeValueScalarType (an enum with a raw value), attributeValueClassName, "
      + "attributeTransformableProtocols. Of attributes and relationships: mogenerator.readonly. Of all: "
      + "mogenerator.ignore, documentation, discussion.",
    "The folder of --template-path has files machine.template, human.template and model.template; the built-in text stands "
      + "in for one that is missing. {{class}} prints a value. {{#attributes}}...{{/attributes}} repeats its inside for "
      + "each attribute, {{#isOptional}}...{{/isOptional}} keeps it if the value is there, {{^isOptional}} if it is not, "
      + "and {{! a remark }} prints nothing. Values of a model: model, form, access, var.NAME, entities. Of an entity: "
      + "entity, class, idClass, superclass, superentity, isAbstract, documentation, imports, attributes, relationships, "
      + "fetchedProperties, fetchRequests, userInfo. Of an attribute: attribute, name, Name, type, kind, default, "
      + "isOptional, isTransient, isDerived, isReadOnly, documentation, userInfo. Of a relationship: relationship, name, "
      + "Name, destination, destinationEntity, inverse, deleteRule, isToMany, isOrdered, isOptional, isReadOnly, "
      + "documentation, userInfo. Of a fetched property: fetchedProperty, destination. Of a fetch request: fetchRequest, "
      + "function, isForOne. Of a note: key, value. An import is {{.}}. Each member of a list also has isLast.",
    "Without arguments, the verb takes them from the file .mogenerator-args in this folder: an array of texts in JSON. "
      + "Mogenerator's names of options are known there, but for those of Objective-C.",
  ]
}
