// SPDX-License-Identifier: MIT

// Each sentence names the mistake, its reason and the remedy. A group returns nil for the diagnostics of
// other groups. A test reads the sentence of every diagnostic.
extension MacroDiagnostic {
  /// The sentence about a type that cannot be an entity or a composite.
  var typeSentence: String? {
    switch self {
    case .entityIsNotAClass(let kind):
      """
      '@Entity' cannot be attached to \(kind), because the objects of an entity have an identity \
      and are shared; declare a class that inherits from ManagedObject.
      """
    case .isolatedEntity(let name):
      """
      '\(name)' is isolated to the main actor, but each object belongs to the queue of its context; \
      remove '@MainActor'.
      """
    case .entityIsGeneric(let name):
      """
      '\(name)' is generic, but an entity is one kind of row in a store; declare one class for \
      each type that it is used with.
      """
    case .designatedInitializer(let name):
      """
      Contexts make the objects of '\(name)', and they know only their own initializer; make this \
      initializer 'convenience', with 'in context: some FinderContext' among its arguments, and call \
      'self.init(context: context.managedObjectContext)' in it.
      """
    case .compositeIsNotAStruct(let kind):
      """
      '@Composite' cannot be attached to \(kind), because a composite attribute is a value made \
      of members; declare a struct.
      """
    case .compositeIsGeneric(let name):
      """
      '\(name)' is generic, but each member of a composite attribute is one column; declare one \
      struct for each type that it is used with.
      """
    default: nil
    }
  }

  /// The sentence about the superclass of an entity, and what comes from it.
  var superclassSentence: String? {
    switch self {
    case .entityHasNoSuperclass(let name):
      """
      '\(name)' has no superclass, so its objects could not live in a context; inherit from \
      ManagedObject, or from the class of another entity.
      """
    case .superclassIsNoManagedObject(let superclass, let name):
      """
      '\(name)' begins its list with '\(superclass)', which is not a managed object, so its objects \
      could not live in a context; write ManagedObject in front, or let the class '\(superclass)' \
      inherit from it.
      """
    case .coreDataSuperclass(let name):
      """
      '\(name)' inherits from Core Data's NSManagedObject, whose place ManagedObject takes here; \
      inherit from ManagedObject.
      """
    case .overriddenProperty(let name):
      """
      '\(name)' overrides a property, but an entity has the properties of the entities above it, each \
      once; remove this declaration, and set another first value in 'awakeFromInsert()'.
      """
    default: nil
    }
  }

  /// The sentence about the modifiers and marks of a property.
  var propertySentence: String? {
    switch self {
    case .constantProperty(let name):
      """
      '\(name)' is a constant, but its value comes from the store after the object exists; declare \
      it with 'var', or mark it '@Ignored' to keep it out of the model.
      """
    case .lazyProperty(let name):
      """
      '\(name)' is lazy, but every property reads its value from the store at the first use; remove \
      'lazy', or mark it '@Ignored' to keep it out of the model.
      """
    case .referenceModifier(let modifier, let name):
      """
      '\(name)' is '\(modifier)', but a relationship is not a strong reference, because the context \
      holds the related objects; remove '\(modifier)'.
      """
    case .observedProperty(let name):
      """
      '\(name)' has observers, which watch storage, but its value lies in the object's row; move the \
      code to a computed property that sets '\(name)', or mark it '@Ignored'.
      """
    case .managedByCoreData(let name):
      """
      '\(name)' is marked '@NSManaged', which asks Core Data for accessors, but '@Entity' writes \
      them; remove '@NSManaged'.
      """
    case .isolatedProperty(let name):
      """
      '\(name)' is isolated to the main actor, but it is read and set on the queue of the object's \
      context; remove '@MainActor'.
      """
    case .ignoredWithoutValue(let name):
      """
      '\(name)' is kept out of the model, so a context that makes an object has no value for it; \
      give it an initial value, or make it optional.
      """
    default: nil
    }
  }

  /// The sentence about the type of a property.
  var propertyTypeSentence: String? {
    switch self {
    case .typeNeeded(let name, let example):
      """
      The model needs the type of '\(name)', but a macro cannot infer it; write the type after the \
      name, as in 'var \(name): \(example)'.
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
    case .nestedOptional(let name):
      """
      '\(name)' is an optional of an optional, but a store knows one kind of nil; remove one '?'.
      """
    case .unstorableType(let name, let type, let remedy):
      """
      '\(name)' has the type '\(type)', which no attribute holds; \(remedy), or mark '\(name)' \
      '@Ignored' to keep it out of the model.
      """
    default: nil
    }
  }

  /// The sentence about the name of a property, or about a declaration of several properties.
  var bindingSentence: String? {
    switch self {
    case .reservedName(let name):
      """
      A property cannot be named '\(name)', because every managed object has a member of that name, or \
      Swift keeps the word; choose another name.
      """
    case .invalidName(let name):
      """
      '\(name)' cannot name a property, because it becomes the name of a column; use letters, digits \
      and underscores.
      """
    case .severalBindings:
      """
      Several properties share one 'var', but each needs its own accessors; declare each property \
      with a separate 'var'.
      """
    case .destructuring:
      "A pattern does not declare a property with a name; declare each property with a separate 'var'."
    case .conditionalProperty(let name):
      """
      '\(name)' stands inside '#if', but a model must be the same in every program that opens its \
      stores; move the property out, or move the whole entity inside.
      """
    default: nil
    }
  }

  /// The sentence about a marker in a wrong place.
  var markerSentence: String? {
    switch self {
    case .severalMarkers(let name, let first, let second):
      """
      '\(name)' is marked '@\(first)' and '@\(second)', but a property can have only one such mark; \
      remove one of them.
      """
    case .derivedWithInitialValue(let name):
      """
      '\(name)' is derived, so the store computes its value and an initial value has no effect; remove \
      the initial value.
      """
    case .relationshipWithInitialValue(let name):
      """
      '\(name)' is a relationship, and the relationships of a new object are empty; remove the initial \
      value.
      """
    case .markerOutsideEntity(let marker):
      """
      '\(marker)' has a meaning only inside a class marked '@Entity'; mark the class, or remove \
      '\(marker)'.
      """
    case .markerNeedsProperty(let marker):
      """
      '\(marker)' describes a stored property, but this declaration is not one; remove '\(marker)', or \
      attach it to a 'var' without accessors.
      """
    case .markerInComposite(let marker, let name):
      """
      '\(name)' is marked '@\(marker)', but the members of a composite attribute are plain \
      attributes; remove the mark, or move '\(name)' to the entity.
      """
    case .compositeOnProperty(let name):
      """
      '\(name)' is marked '@Composite', which belongs to the type of a property; remove it here, and write \
      '@Composite' before the struct.
      """
    default: nil
    }
  }

  /// The sentence about a relationship whose type no relationship has.
  var relationshipSentence: String? {
    switch self {
    case .relationshipOfValues(let name, let type):
      """
      '\(name)' is marked '@Relationship', but '\(type)' is a value, and a relationship leads to the class of \
      an entity, or to a Set or Array of one; remove '@Relationship', or write '@Attribute' for its options.
      """
    case .optionalToMany(let name):
      """
      '\(name)' is an optional Set or Array, but a to-many relationship leads to an empty one where it leads \
      to nothing; remove the '?'.
      """
    default: nil
    }
  }

  /// The sentence about arguments of markers and lists.
  var argumentSentence: String? {
    switch self {
    case .derivedNeedsExpression(let name):
      """
      '\(name)' is derived, but its expression is missing; write the expression, as in \
      '@Derived("pets.@count")'.
      """
    case .inverseIsNotAName:
      """
      A macro cannot compute the inverse; write a key path such as '\\Pet.owner', or a name such as \
      "owner".
      """
    case .inverseIsAPath:
      """
      An inverse is one relationship of the destination, not a path through several; write a key path \
      with one component, such as '\\Pet.owner'.
      """
    case .inversesWaitForEachOther(let one, let other) where one == other:
      """
      The key path of '\(one)' leads to '\(one)' itself, so the compiler cannot resolve it; write the \
      name "\(one)".
      """
    case .inversesWaitForEachOther(let one, let other):
      """
      The key paths of '\(one)' and '\(other)' wait for each other, so the compiler cannot resolve \
      either; write a name such as "\(other)" here.
      """
    case .listIsNotNames(let macro):
      """
      A macro cannot compute the properties of '#\(macro)'; write names such as "lastname", or key \
      paths such as '\\.lastname'.
      """
    case .unknownProperty(let name, let macro, let entity, let known):
      """
      '#\(macro)' names '\(name)', which is not a property of '\(entity)'; write the name of a \
      property that the model contains\(known.isEmpty ? "" : ": \(known.joined(separator: ", "))").
      """
    default: nil
    }
  }
}
