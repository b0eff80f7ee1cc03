// SPDX-License-Identifier: MIT
import Foundation
import Sporades
import SporadesModel
import SporadesModelFiles
import TestServer
import Testing

@testable import SporadesExistingTables
@testable import SporadesPostgreSQL

// snippet: existing-entities
@Entity(userInfo: .table("film", key: "film_id"))
final class Movie: ManagedObject {
  var title = ""
  @Attribute(.column("rental_rate")) var price: Decimal?
  @Relationship(options: [.column("language_id")]) var language: Tongue?
  @Relationship(
    inverse: \Performer.movies,
    options: [.join("film_actor", column: "film_id", other: "actor_id")])
  var performers: Set<Performer>
}

@Entity(userInfo: .table("language"))
final class Tongue: ManagedObject {
  var name = ""
  @Relationship(inverse: \Movie.language) var movies: Set<Movie>
}

@Entity(userInfo: .table("actor"))
final class Performer: ManagedObject {
  @Attribute(.column("last_name")) var name = ""
  var movies: Set<Movie>
}
// snippet end

/// The programs of the article about existing databases.
@Suite(.enabled(if: TestServer.isThere, "There is no PostgreSQL on this machine."))
struct ExistingDocumentationTests {
  private func films() throws -> ExistingTables {
    try ExistingTables(
      "CREATE TABLE language (language_id serial PRIMARY KEY, name char(20) NOT NULL)",
      """
      CREATE TABLE film (film_id serial PRIMARY KEY, title text NOT NULL, rental_rate numeric(4, 2) NOT NULL DEFAULT 4.99, \
      language_id integer NOT NULL REFERENCES language)
      """,
      "CREATE TABLE actor (actor_id serial PRIMARY KEY, last_name text NOT NULL)",
      """
      CREATE TABLE film_actor (film_id integer REFERENCES film, actor_id integer REFERENCES actor, PRIMARY KEY (film_id, actor_id), \
      last_update timestamptz NOT NULL DEFAULT now())
      """)
  }

  @Test func theEntitiesOfTheArticleOpen() throws {
    let tables = try films()
    let service = tables.service([Movie.self, Tongue.self, Performer.self])
    try service.writeSync(durability: .immediate) { context in
      let (movie, tongue) = (Movie.create(in: context), Tongue.create(in: context))
      (movie.title, movie.language, tongue.name) = ("Vertigo", tongue, "English")
      let performer = Performer.create(in: context)
      performer.name = "Novak"
      movie.performers = [performer]
    }.get()
    // The key must have a row, which the server says.
    let refused = service.writeSync(durability: .immediate) {
      Movie.create(in: $0).title = "Psycho"
    }
    do {
      try refused.get()
      Issue.record("A row without a language was taken.")
    } catch {
      #expect("\(error)".contains("Movie.language has no value"), "\(error)")
    }
    try service.readValue { context in
      let movie = try #require(try Movie.first(where: \.language?.name == "English", in: context))
      #expect(movie.performers.map(\.name) == ["Novak"])
    }
    try service.close()
    #expect(try tables.ask("SELECT title, rental_rate FROM film") == ["(Vertigo,4.99)"])
  }

  @Test func classesAreWrittenForTables() throws {
    let tables = try films()
    let source = try classes(at: tables.place.server.address, tables.place.options.schema)
    #expect(source.omissions.isEmpty, "\(source.omissions)")
    let address = "\"sporades.schema\": \"\(tables.place.options.schema)\""
    #expect(
      source.classes.contains(
        "@Entity(userInfo: [\"sporades.key\": \"film_id\", \(address), \"sporades.table\": \"film\"]) final class Film"
      ), "\(source.classes)")
    #expect(source.classes.contains("var language: Language\n"), "\(source.classes)")
    #expect(source.classes.contains("var actors: Set<Actor>"), "\(source.classes)")
  }

  private func classes(at address: String, _ schema: String) throws -> SwiftSource {
    let inferred = try PostgreSQLStore.inferredModel(at: address, schema: schema)
    #expect(inferred.omissions.count == 1, "\(inferred.omissions)")
    return try inferred.model.swiftSource(named: "Shop")
  }
}

private func shop(at address: String) throws -> SwiftSource {
  // snippet: inferred-model
  let inferred = try PostgreSQLStore.inferredModel(at: address, schema: "public")
  for omission in inferred.omissions { print(omission) }
  let source = try inferred.model.swiftSource(named: "Shop")
  // snippet end
  return source
}
