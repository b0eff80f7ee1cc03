// SPDX-License-Identifier: MIT

// Each sentence of a diagnostic says what is wrong, why, and what to write instead. A group answers
// nil for the diagnostics of the others; a test asks for the sentence of every diagnostic.
extension MacroDiagnostic {
  /// The sentence about what cannot be an entity or a composite.
  var typeSentence: String? {
    switch self {
    case .entityIsNotAClass(let kind):
      """
      '@Entity' cannot be attached to \(kind), because the objects of an entity have an identity \
      and are shared; declare a class that inherits from ManagedObject.
      """
    case .entityHasNoSuperclass(let name):
      """
      '\(name)' has no superclass, so its objects could not live in a context; inherit from \
      ManagedObject, or from the class of another entity.
      """
    case .entityIsGeneric(let name):
      """
      '\(name)' is generic, but an entity is one kind of row in a store; declare one class for \
      each type it is used with.
      """
    case .designatedInitializer(let name):
      """
      Objects of '\(name)' are made by contexts, which know no initializer but their own; make this \
      one 'convenience', with a context among its arguments, and let it call 'self.init(context:)'.
      """
    case .compositeIsNotAStruct(let kind):
      """
      '@Composite' cannot be attached to \(kind), because a composite attribute is a value made \
      of members; declare a struct.
      """
    case .compositeIsGeneric(let name):
      """
      '\(name)' is generic, but each member of a composite attribute is one column; declare one \
      struct for each type it is used with.
      """
    default: nil
    }
  }

  /// The sentence about the modifiers and types of a property.
  var propertySentence: String? {
    switch self {
    case .constantProperty(let name):
      """
      '\(name)' is a constant, but a property's value comes from the store after the object is \
      made; declare it with 'var', or mark it '@Ignored' to keep it out of the model.
      """
    case .lazyProperty(let name):
      """
      '\(name)' is lazy, but its value comes from the store and is read when it is first needed \
      anyway; remove 'lazy', or mark it '@Ignored' to keep it out of the model.
      """
    case .referenceModifier(let modifier, let name):
      """
      '\(name)' is '\(modifier)', but a context holds related objects itself and a relationship \
      is no strong reference; remove '\(modifier)'.
      """
    case .observedProperty(let name):
      """
      '\(name)' has observers, but it is computed from the object's row and observers watch \
      storage only; move the code to a computed property that sets '\(name)', or mark it '@Ignored'.
      """
    case .typeNeeded(let name):
      """
      The type of '\(name)' cannot be told from its source alone, and the model needs it; write \
      it after the name.
      """
    case .tupleType(let name):
      """
      '\(name)' is a tuple, which no store can hold; declare a struct with '@Composite', or one \
      property for each element.
      """
    case .functionType(let name):
      """
      '\(name)' is a function, which no store can hold; mark it '@Ignored' to keep it out of the \
      model.
      """
    default: nil
    }
  }

  /// The sentence about names, and properties that cannot be told apart.
  var bindingSentence: String? {
    switch self {
    case .reservedName(let name):
      """
      'ManagedObject' has a member '\(name)' already, so a property of that name could not be \
      told from it; choose another name.
      """
    case .severalBindings:
      """
      Several properties share one 'var', but each needs accessors of its own; declare each with \
      a 'var' of its own.
      """
    case .destructuring:
      "A pattern declares no property the model could name; declare each with a 'var' of its own."
    case .conditionalProperty(let name):
      """
      '\(name)' stands inside '#if', but a model must be the same wherever its stores are opened; \
      move it out, or put the whole entity inside.
      """
    default: nil
    }
  }

  /// The sentence about markers where they do not belong.
  var markerSentence: String? {
    switch self {
    case .severalMarkers(let name, let first, let second):
      """
      '\(name)' is marked both '@\(first)' and '@\(second)', but a property is one thing only; \
      remove one of them.
      """
    case .derivedWithInitialValue(let name):
      """
      '\(name)' is derived, so the store computes its value and an initial one would never be \
      seen; remove it.
      """
    case .relationshipWithInitialValue(let name):
      """
      '\(name)' is a relationship, and those of a new object lead nowhere; remove the initial \
      value.
      """
    case .markerOutsideEntity(let marker):
      """
      '\(marker)' means something inside a class marked '@Entity' only; mark the class, or remove \
      it.
      """
    case .markerNeedsProperty(let marker):
      """
      '\(marker)' describes a stored property, and this is none; remove it, or attach it to a \
      'var' without accessors.
      """
    case .markerInComposite(let marker, let name):
      """
      '\(name)' is marked '@\(marker)', but the members of a composite attribute are plain \
      attributes; remove it, or move '\(name)' to the entity.
      """
    default: nil
    }
  }

  /// The sentence about arguments of markers and lists.
  var argumentSentence: String? {
    switch self {
    case .derivedNeedsExpression(let name):
      """
      '\(name)' is derived, but from what is missing; write the expression, as in \
      '@Derived("pets.@count")'.
      """
    case .inverseIsNotAName:
      """
      The inverse must be told from the source alone; write a key path such as '\\Pet.owner', or \
      its name such as "owner".
      """
    case .inverseIsAPath:
      """
      An inverse is one relationship of the entity this one leads to, not a path through several; \
      write a key path with one component, such as '\\Pet.owner'.
      """
    case .listIsNotNames(let macro):
      """
      The properties of '#\(macro)' must be told from the source alone; write their names, such \
      as "lastname", or key paths, such as '\\.lastname'.
      """
    case .unknownProperty(let name, let macro, let entity):
      """
      '#\(macro)' names '\(name)', which is not a property of '\(entity)'; write the name of a \
      property the model contains.
      """
    default: nil
    }
  }
}
