import Testing

@testable import LegoKit

private enum Lens: String, LinkValue, CaseIterable { case wide, tele }

private enum Route: Equatable, Sendable {
  case home
  case camera(Int, zoom: Double?, lens: Lens?)
  case album(String, photo: String)
  case search(String)

  var camera: (Int, Double?, Lens?)? {
    if case .camera(let id, let zoom, let lens) = self { (id, zoom, lens) } else { nil }
  }
  var album: (String, String)? {
    if case .album(let album, let photo) = self { (album, photo) } else { nil }
  }
  var search: String? { if case .search(let words) = self { words } else { nil } }

  static func links(scheme: String? = nil) throws -> Links<Route> {
    Links(
      scheme: scheme,
      [
        try Link("/", .home),
        try Link("/camera/:id?zoom=&lens=", Route.camera, \.camera),
        try Link("/album/:name/photo/:photo", Route.album, \.album),
        try Link("/search?words=", Route.search, \.search),
      ])
  }
}

@Suite struct `A link into a program` {
  @Test(arguments: [
    ("/", Route.home), ("/camera/3", .camera(3, zoom: nil, lens: nil)),
    ("/camera/3?zoom=1.5&lens=tele", .camera(3, zoom: 1.5, lens: .tele)),
    ("/camera/3/?lens=wide#top", .camera(3, zoom: nil, lens: .wide)),
    ("//camera//3?other=1&zoom=2&zoom=3", .camera(3, zoom: 2, lens: nil)),
    ("/album/New%20York/photo/%E2%9C%93", .album("New York", photo: "✓")),
    ("/album/a%2Fb/photo/x", .album("a/b", photo: "x")),
    ("/search?words=a+b%26c", .search("a+b&c")), ("/search?words=", .search("")),
    ("/search?words", .search("")),
  ])
  fileprivate func `leads to its route`(link: String, route: Route) throws {
    #expect(try Route.links().route(to: link) == route)
  }

  @Test(arguments: [
    ("", LinkError.otherScheme), ("camera/3", .otherScheme), ("http://x/camera/3", .otherScheme),
    ("/camera", .unknown), ("/camera/three", .unknown), ("/camera/3?zoom=", .unknown),
    ("/camera/3?lens=macro", .unknown), ("/search", .unknown), ("/Camera/3", .unknown),
    ("/camera/%3", .malformed(position: 8)), ("/camera/%zz", .malformed(position: 8)),
    ("/camera/%", .malformed(position: 8)), ("/search?words=%FF", .malformed(position: 14)),
    ("/camera/3?zoom=nan", .unknown), ("/camera/3?zoom=-inf", .unknown),
    ("/camera/3?zoom=1e400", .unknown),
  ])
  func `that leads nowhere says why`(link: String, error: LinkError) throws {
    let links = try Route.links()
    #expect(throws: error) { try links.route(to: link) }
    #expect(!error.description.contains("\n"))
  }

  @Test func `of a megabyte is refused before it is read`() throws {
    let links = try Route.links()
    #expect(throws: LinkError.tooLong(limit: Links<Route>.limit)) {
      try links.route(to: "/search?words=" + String(repeating: "%41", count: 350_000))
    }
    let longest = Links<Route>.limit - "/search?words=".utf8.count
    let words = String(repeating: "a", count: longest)
    #expect(try links.route(to: "/search?words=" + words) == .search(words))
  }

  @Test func `begins with the scheme of its program`() throws {
    let links = try Route.links(scheme: "Photos")
    let route = Route.camera(3, zoom: nil, lens: nil)
    for link in ["photos:/camera/3", "photos://camera/3", "PHOTOS:camera/3"] {
      #expect(try links.route(to: link) == route)
    }
    #expect(links.link(to: route) == "photos:/camera/3")
    #expect(throws: LinkError.otherScheme) { try links.route(to: "/camera/3") }
    #expect(throws: LinkError.otherScheme) { try links.route(to: "photos") }
    #expect(throws: LinkError.otherScheme) { try links.route(to: "photosx:/camera/3") }
  }

  @Test(arguments: [
    (Route.home, "/"), (.camera(-3, zoom: nil, lens: .tele), "/camera/-3?lens=tele"),
    (.album("a/b", photo: "50%"), "/album/a%2Fb/photo/50%25"), (.search("\n"), "/search?words=%0A"),
  ])
  fileprivate func `is written by the same template`(route: Route, link: String) throws {
    #expect(try Route.links().link(to: route) == link)
  }

  @Test func `has no place for an empty segment`() throws {
    #expect(try Route.links().link(to: .album("", photo: "x")) == nil)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func `carries no number that is not finite`(number: Double) throws {
    #expect(try Link("/:a", { (value: Double) in value }, { $0 }).link(to: number) == nil)
    #expect(try Link("/?a=", { (value: Double) in value }, { $0 }).link(to: number) == nil)
  }

  @Test func `that was written leads back, whatever it carries`() throws {
    let links = try Route.links(scheme: "photos")
    var numbers = SeededNumbers(state: 7)
    let scalars: [Unicode.Scalar] = [
      "a", "/", "?", "&", "=", "%", "#", "+", " ", "\0", "é", "🙂", ":",
    ]
    func text() -> String {
      var text = String.UnicodeScalarView()
      for _ in 0...Int.random(in: 0..<6, using: &numbers) {
        text.append(scalars[Int.random(in: scalars.indices, using: &numbers)])
      }
      return String(text)
    }
    for _ in 0..<2_000 {
      let routes: [Route] = [
        .album(text(), photo: text()), .search(text()),
        .camera(
          Int.random(in: -50..<50, using: &numbers),
          zoom: [nil, 0.1, -2e300].randomElement(using: &numbers) ?? nil,
          lens: Lens.allCases.randomElement(using: &numbers)),
      ]
      for route in routes {
        let link = try #require(links.link(to: route))
        #expect(link.utf8.allSatisfy { (0x21...0x7E).contains($0) })
        #expect(try links.route(to: link) == route)
      }
    }
  }
}

@Suite struct `The template of a link` {
  @Test(arguments: [
    ("camera", "does not begin with a slash"), ("", "does not begin with a slash"),
    ("/camera/:", "has a place without a name"),
    ("/camera/:id?", "has a query that is no list of names, each with an equals sign"),
    ("/camera/:id?zoom", "has a query that is no list of names, each with an equals sign"),
    ("/:id?a=&a=", "has the name a twice in its query"),
    ("/camera", "has 0 places for 1 values"), ("/:a/:b", "has 2 places for 1 values"),
  ])
  func `that is wrong says what`(template: String, reason: String) {
    #expect(throws: LinkTemplateError(template: template, reason: reason)) {
      try Link<Int>(template, { (value: Int) in value }, { $0 })
    }
  }

  @Test func `has no place for an optional in its path`() {
    let reason = "has a place in its path for an optional"
    #expect(throws: LinkTemplateError(template: "/:a", reason: reason)) {
      try Link<Int?>("/:a", { (value: Int?) in value }, { .some($0) })
    }
  }
}
