// SPDX-License-Identifier: MIT
import SporadesModel

/// Collects the reasons why changed objects can not be saved.
struct ObjectValidation {
  private(set) var failures: [ValidationError.Failure] = []
  /// Whether the objects' own checks run beside those of the model.
  private let callsHooks: Bool
  /// The limit for the work of all regular expressions together.
  private let budget = PatternBudget()

  init(callsHooks: Bool = true) { self.callsHooks = callsHooks }

  mutating func check(_ object: ManagedObject) {
    let start = failures.count
    if object.isDeleted {
      checkModel(object)
      return hook(object, since: start) { try object.validateForDelete() }
    }
    if object.isRowChanged { checkModel(object) } else { checkCounts(object) }
    if callsHooks, !object.home.binding.validatedProperties.isEmpty {
      checkProperties(object, since: start)
    }
    hook(object, since: start) {
      object.isInserted ? try object.validateForInsert() : try object.validateForUpdate()
    }
  }

  private mutating func checkProperties(_ object: ManagedObject, since start: Int) {
    for name in object.home.binding.validatedProperties {
      let value = object.value(forKey: name)
      hook(object, since: start) { try object.validateValue(value, forKey: name) }
    }
  }

  /// Checks the object against the model, without running the object's own checks. A save does not
  /// write the values of an object whose row is unchanged, and so checks only its members.
  mutating func checkModel(_ object: ManagedObject) {
    if object.isDeleted { return checkDelete(object) }
    checkRequired(object)
    // A loop over an empty list counts references to it.
    if !object.home.binding.validatedAttributes.isEmpty { checkAttributes(object) }
    checkCounts(object)
  }

  private mutating func checkAttributes(_ object: ManagedObject) {
    for (path, attribute) in object.home.binding.validatedAttributes {
      checkBounds(object, attribute, object.value(of: attribute), path)
    }
  }

  /// Checks a value for one of the object's attributes against the model.
  mutating func check(_ value: Value, of attribute: AttributeShape, _ object: ManagedObject) {
    let description = attribute.description
    if value.isNull && !description.isOptional && !description.isTransient && !description.isDerived
    {
      fail(
        .missingMandatoryProperty, object, attribute.name,
        "has no value, but the model requires one.")
    }
    guard canHold(value, attribute, object) else { return }
    checkBounds(object, attribute, value, [attribute.name])
  }

  /// Whether the attribute's type can hold the value. If not, that is a failure.
  private mutating func canHold(
    _ value: Value, _ attribute: AttributeShape, _ object: ManagedObject
  ) -> Bool {
    let type = attribute.type
    // because a cell would copy the bytes
    if case .data = value, type == .binary || type == .transformable { return true }
    guard attribute.slot != nil, !value.isNull, Cell(value, as: type) == nil else { return true }
    var code = ValidationError.Code.generic
    if let number = value.integer, type.isWhole {
      code = number > type.integerRange.upperBound ? .numberTooLarge : .numberTooSmall
    }
    fail(code, object, attribute.name, "can not take \(type.describeRefusal(of: value))")
    return false
  }

  mutating func checkCounts(_ object: ManagedObject) {
    guard !object.home.binding.countedRelationships.isEmpty else { return }
    for relationship in object.home.binding.countedRelationships {
      checkCount(object, relationship)
    }
  }

  mutating func failLink(_ object: ManagedObject, _ property: String) {
    fail(.generic, object, property, "leads to an object that the same save deletes.")
  }

  // MARK: - Rules

  private mutating func checkRequired(_ object: ManagedObject) {
    guard let row = unsafe object.row else { return }
    if !object.home.binding.requiredSlots.isEmpty { unsafe checkSlots(object, row) }
    if !object.home.binding.realSlots.isEmpty { unsafe checkReals(object, row) }
  }

  private mutating func checkSlots(_ object: ManagedObject, _ row: PackedRow) {
    for index in object.home.binding.requiredSlots.indices {
      let slot = object.home.binding.requiredSlots[index]
      guard unsafe row.isNull(slot, object.home.slots) else { continue }
      fail(
        .missingMandatoryProperty, object, object.home.shape.layout.slots[slot].name,
        object.describeLoss(ofRequired: slot) ?? "has no value, but the model requires one.")
    }
  }

  /// Refuses NaN, because SQLite stores it as nil.
  private mutating func checkReals(_ object: ManagedObject, _ row: PackedRow) {
    let slots = unsafe object.home.slots
    for index in object.home.binding.realSlots.indices {
      let slot = object.home.binding.realSlots[index]
      guard unsafe !row.isNull(slot, slots) else { continue }
      guard unsafe Double(bitPattern: row.word(slot, slots)).isNaN else { continue }
      fail(
        .generic, object, object.home.shape.layout.slots[slot].name,
        "is not a number (NaN), which SQLite stores as nil. Set a number, or nil if the property is optional."
      )
    }
  }

  private mutating func checkBounds(
    _ object: ManagedObject, _ attribute: AttributeShape, _ value: Value, _ path: [String]
  ) {
    guard !value.isNull else { return }
    let name = path.joined(separator: ".")
    let bounds = attribute.description.validation
    let isDate = attribute.type == .date
    if !bounds.minimum.isNull, let order = ValueOrder.compare(value, bounds.minimum), order < 0 {
      fail(
        isDate ? .dateTooSoon : .numberTooSmall, object, name,
        "is below the minimum, \(text(bounds.minimum)).")
    }
    if !bounds.maximum.isNull, let order = ValueOrder.compare(value, bounds.maximum), order > 0 {
      fail(
        isDate ? .dateTooLate : .numberTooLarge, object, name,
        "is above the maximum, \(text(bounds.maximum)).")
    }
    if case .string(let text) = value { checkText(text, object, attribute, name) }
    for predicate in bounds.predicates { check(predicate, value, object, attribute, path) }
  }

  /// The text of a bound. A bound belongs to the model, so a message may show it.
  private func text(_ bound: Value) -> String {
    switch bound {
    case .integer(let number): "\(number)"
    case .double(let number): "\(number)"
    case .decimal(let number): "\(number)"
    case .date(let date): "\(date)"
    default: "of the model"
    }
  }

  private mutating func checkText(
    _ text: String, _ object: ManagedObject, _ attribute: AttributeShape, _ name: String
  ) {
    let bounds = attribute.description.validation
    checkLength(text, object, bounds, name)
    if let pattern = bounds.pattern { checkPattern(pattern, text, object, name) }
  }

  /// Checks the length as Core Data counts it, so that a shared file gets one verdict.
  private mutating func checkLength(
    _ text: String, _ object: ManagedObject, _ bounds: AttributeValidation, _ name: String
  ) {
    guard bounds.minimumLength != nil || bounds.maximumLength != nil else { return }
    let length = text.utf16.count
    if let least = bounds.minimumLength, length < least {
      fail(
        .stringTooShort, object, name,
        "has \(length) characters, counted in UTF-16, fewer than \(least).")
    }
    if let most = bounds.maximumLength, length > most {
      fail(
        .stringTooLong, object, name,
        "has \(length) characters, counted in UTF-16, more than \(most).")
    }
  }

  private mutating func checkPattern(
    _ pattern: String, _ text: String, _ object: ManagedObject, _ name: String
  ) {
    do {
      if try TextPattern(matching: pattern).matches(text, within: budget) { return }
      fail(
        .stringPatternMatching, object, name,
        "does not match \(pattern) as a whole; for a text that contains it the pattern has .* on both "
          + "sides.")
    } catch {
      failures.append(
        .init(
          .stringPatternMatching, object.objectID, property: name,
          "has a pattern that can not be evaluated.", underlying: error))
    }
  }

  private mutating func check(
    _ predicate: FetchPredicate, _ value: Value, _ object: ManagedObject,
    _ attribute: AttributeShape, _ path: [String]
  ) {
    let name = path.joined(separator: ".")
    guard let model = object.home.context?.model else { return }
    do {
      let subject = CandidateSubject(object: object, candidate: (attribute, value))
      let evaluator = try PredicateEvaluator(
        predicate.asking(path), in: object.home.shape, model, within: budget)
      if try evaluator.matches(subject) { return }
      fail(.generic, object, name, "does not satisfy the model's predicate, \(predicate).")
    } catch {
      failures.append(
        .init(
          .generic, object.objectID, property: name,
          "has a predicate that can not be evaluated.", underlying: error))
    }
  }

  private mutating func checkCount(_ object: ManagedObject, _ relationship: RelationshipShape) {
    let links = object.knownToMany(relationship)
    guard object.isInserted || links?.isChanged == true else { return }
    let count = object.memberFaults(relationship).count
    let least = relationship.description.minCount
    let allowsNone = relationship.description.isOptional && count == 0
    if count < least && !allowsNone {
      fail(
        .relationshipLacksMinimumCount, object, relationship.name,
        "leads to \(count) objects; the model requires at least \(least).")
    }
    let most = relationship.description.maxCount
    if most > 0 && count > most {
      fail(
        .relationshipExceedsMaximumCount, object, relationship.name,
        "leads to \(count) objects; the model allows at most \(most).")
    }
  }

  private mutating func checkDelete(_ object: ManagedObject) {
    for relationship in object.home.binding.denyingRelationships {
      if object.objects(of: relationship).contains(where: { !$0.isRemoved }) {
        fail(
          .relationshipDeniedDelete, object, relationship.name,
          "still leads to objects, so its delete rule denies the deletion. Delete these objects too, "
            + "or remove them from the relationship first.")
      }
    }
  }

  // MARK: - Failures

  /// Runs one of the object's own checks. The failures against the model are known already, and the
  /// check's call of `super` throws them.
  private mutating func hook(
    _ object: ManagedObject, since start: Int, _ check: () throws -> Void
  ) {
    guard callsHooks else { return }
    let hasFailures = failures.count > start
    if hasFailures { object.home.context?.saving.modelFailures = Array(failures[start...]) }
    object.state.insert(.validating)
    defer {
      object.state.remove(.validating)
      if hasFailures { object.home.context?.saving.modelFailures = [] }
    }
    do {
      try check()
    } catch let error as ValidationError {
      failures += error.failures.filter { new in
        !failures[start...].contains { $0.isSame(as: new) }
      }
    } catch {
      failures.append(
        .init(
          .generic, object.objectID, "failed its own check: \(error)", underlying: error))
    }
  }

  private mutating func fail(
    _ code: ValidationError.Code, _ object: ManagedObject, _ property: String, _ detail: String
  ) {
    failures.append(.init(code, object.objectID, property: property, detail))
  }
}
