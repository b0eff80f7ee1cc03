// SPDX-License-Identifier: MIT
public import SporadesGraph
public import SporadesModel

extension FetchedResultsController {
  /// Makes a controller without results. Call ``performFetch()``.
  ///
  /// A key path for sections leads through to-one relationships to an attribute. The first term of the request's order must keep the
  /// members of each section together.
  public convenience init(
    _ request: FetchRequest, in context: ManagedObjectContext, sectionNameKeyPath: String? = nil,
    cacheName: String? = nil
  ) {
    self.init(
      request, mistake: nil, in: context, sectionNameKeyPath: sectionNameKeyPath, sectioning: nil,
      cacheName: cacheName)
  }

  /// Makes a controller whose sections have the values of a property as names. The property may be
  /// computed; nil is the empty name.
  public convenience init<V>(
    _ request: FetchRequest, in context: ManagedObjectContext, sections: KeyPath<Object, V>,
    cacheName: String? = nil
  ) {
    self.init(
      request, mistake: nil, in: context, sectionNameKeyPath: nil, sectioning: Sectioning(sections),
      cacheName: cacheName)
  }

  /// Makes a controller whose sections a closure names. The closure reads the object alone: the controller does not know which
  /// related objects it reads, and does not follow those.
  public convenience init(
    _ request: FetchRequest, in context: ManagedObjectContext, cacheName: String? = nil,
    sections: @escaping (Object) throws -> String
  ) {
    self.init(
      request, mistake: nil, in: context, sectionNameKeyPath: nil, sectioning: Sectioning(sections),
      cacheName: cacheName)
  }

  /// Makes a controller for a typed request, without results. Call ``performFetch()``.
  public convenience init(
    _ request: TypedRequest<Object>, in context: ManagedObjectContext,
    sectionNameKeyPath: String? = nil, cacheName: String? = nil
  ) {
    let (request, mistake) = Self.untyped(request, context)
    self.init(
      request, mistake: mistake, in: context, sectionNameKeyPath: sectionNameKeyPath,
      sectioning: nil, cacheName: cacheName)
  }

  /// Makes a controller for a typed request, whose sections have the values of a property as names. The property may be
  /// computed; nil is the empty name.
  public convenience init<V>(
    _ request: TypedRequest<Object>, in context: ManagedObjectContext,
    sections: KeyPath<Object, V>, cacheName: String? = nil
  ) {
    let (request, mistake) = Self.untyped(request, context)
    self.init(
      request, mistake: mistake, in: context, sectionNameKeyPath: nil,
      sectioning: Sectioning(sections), cacheName: cacheName)
  }

  /// Makes a controller for a typed request, whose sections a closure names. The closure reads the object alone: the controller does not
  /// know which related objects it reads, and does not follow those.
  public convenience init(
    _ request: TypedRequest<Object>, in context: ManagedObjectContext, cacheName: String? = nil,
    sections: @escaping (Object) throws -> String
  ) {
    let (request, mistake) = Self.untyped(request, context)
    self.init(
      request, mistake: mistake, in: context, sectionNameKeyPath: nil,
      sectioning: Sectioning(sections), cacheName: cacheName)
  }

  private static func untyped(
    _ request: TypedRequest<Object>, _ context: ManagedObjectContext
  ) -> (FetchRequest, (any Error)?) {
    do { return (try request.fetchRequest(in: context), nil) } catch {
      return (FetchRequest(""), error)
    }
  }
}
