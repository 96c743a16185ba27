import LegoKit
import LegoTesting
import Testing

// Screens and forms of LBPresenter: a library of books, whose screens lie on a path and over it.

private struct Book: Blueprint {
  struct Design: Equatable, Sendable, Identifiable {
    let id: String
    var isRead = false
  }

  enum Change: Equatable, Sendable {
    case read
    case done
  }

  func change(_ design: inout Design, on change: Change) {
    if change == .read { design.isRead = true }
  }
}

private struct Shelf: Blueprint {
  enum FieldName: Hashable { case title, author }
  typealias Text = FieldRules<String, String>

  struct Design: Equatable, Sendable {
    var path: Stack<Book.Design> = []
    var presented: Presented<Book.Design> = []
    var title = FormField<String, String>("")
    var search = ""
    var focus = FormFocus<FieldName>([.title, .author])
  }

  enum Change: Equatable, Sendable, PayloadReadable {
    case open(String)
    case peek(String?)
    case search(String)
    case focusChanged(FieldName?)
    case title(Text.Change)
    case path(StackChange<Book>)
    case presented(PresentedChange<Book>)

    var payload: Any? {
      switch self {
      case .title(let change): change
      case .path(let change): change
      case .presented(let change): change
      case .open, .peek, .search, .focusChanged: nil
      }
    }
  }

  func change(_ design: inout Design, on change: Change) {
    switch change {
    case .search(let text): design.search = text
    case .focusChanged(let field): design.focus.move(to: field)
    case .open, .peek, .title, .path, .presented: break
    }
  }
}

private func shelf() -> Lego<Shelf> {
  let book = Feature(Book())
  let shelf = Feature(Shelf())
    .part(
      \.title, .case(Shelf.Change.title),
      .field(issue: { $0.isEmpty ? "missing" : nil }, after: .milliseconds(1), ask: nil)
    )
    .stack(\.path, .case(Shelf.Change.path), book)
    .presented(\.presented, .case(Shelf.Change.presented), book)
    .navigation(
      \.path,
      for: { change -> Stack<Book.Design>.Move? in
        if case .open(let id) = change { .push(.init(id: id)) } else { nil }
      }
    )
    .navigation(\.presented) { change -> Presented<Book.Design>.Move? in
      switch change {
      case .peek(let id?): .present(.init(id: id))
      case .peek(nil): .dismiss
      case .presented(.screen(let id, .done)): .close(id)
      default: nil
      }
    }
  return Lego(.init(), feature: shelf)
}

@Suite struct `The names of LBPresenter: screens and forms` {
  // Row of FromLBPresenter: `NavPresenterState`, `DefaultNavPresenterState`, `NavState`, `path`
  @Test func `a state of a path is a stack in the design`() {
    let path: Stack<Book.Design> = shelf().design.path
    #expect(path == Stack())
  }

  // Row of FromLBPresenter: `NavReducer`, `navReducer()`
  @Test func `its reducer is a feature's stack, and its actions are moves`() {
    struct Plain: Blueprint {
      typealias Design = Stack<Book.Design>
      typealias Change = StackChange<Book>
      func change(_ design: inout Design, on change: Change) {}
    }
    let feature = Feature(Plain()).stack(\.self, .whole, Feature(Book()))
    let lego = Lego([], feature: feature)
    let moves: [Stack<Book.Design>.Move] = [.push(.init(id: "Emma")), .push(.init(id: "Ulysses"))]
    for move in moves { lego.build(.move(move)) }
    lego.build(.screen("Emma", .read))
    #expect(lego.design.map(\.isRead) == [true, false])
  }

  // Row of FromLBPresenter: `Destination`, `Destinable`, `uuid`
  @Test func `a destination is the design of a screen, known by its id`() {
    func id<Destination: Identifiable>(_ destination: Destination) -> Destination.ID {
      destination.id
    }
    let destination = Book.Design(id: "Emma")
    #expect(Stack([destination])[id: id(destination)] == destination)
  }

  // Row of FromLBPresenter: `LBNavPresenter`, `sendNavigation(navAction:)`, `.navigate(_:)`
  @Test func `navigation is sent by a change, and made in the same step`() {
    let lego = shelf()
    let steps = Collected<[String]>()
    let token = lego.onDesignChange { steps.append($0.path.map(\.id)) }
    lego.build(.open("Emma"))
    #expect(steps.values == [["Emma"]])
    token.cancel()
  }

  // Row of FromLBPresenter: popping, and resetting to the root
  @Test func `a path is popped, and popped to its root`() {
    let lego = shelf()
    for id in ["Emma", "Ulysses", "Ivanhoe"] { lego.build(.open(id)) }
    let moves: [Stack<Book.Design>.Move] = [.pop, .popToRoot, .pop]
    var counts: [Int] = []
    for move in moves {
      lego.build(.path(.move(move)))
      counts.append(lego.design.path.count)
    }
    #expect(counts == [2, 0, 0])
  }

  // Row of FromLBPresenter: `bindPath(send:)`
  @Test func `a path is bound by a glue`() {
    let lego = shelf()
    let path = lego.glue(\.path.screens) { .path(.move(.set($0))) }
    path.wrappedValue = [.init(id: "Emma"), .init(id: "Ulysses")]
    path.wrappedValue.removeLast()
    #expect(lego.design.path.map(\.id) == ["Emma"])
  }

  // Row of FromLBPresenter: `NavigationStack(path:)`, `navigationDestination(_:)`
  @Test func `what is drawn is the top of the path`() {
    func drawn(_ path: Stack<Book.Design>) -> String { path.top?.id ?? "shelf" }
    let lego = shelf()
    #expect(drawn(lego.design.path) == "shelf")
    lego.build(.open("Emma"))
    #expect(drawn(lego.design.path) == "Emma")
  }

  // Row of FromLBPresenter: `getChild(for:and:bindTo:)`
  @Test func `a child is a scope of a screen, for as long as it is on the path`() {
    withContractors {
      $0.problemSink = .nowhere
    } operation: {
      let lego = shelf()
      let path: any KeyPath<Shelf.Design, Stack<Book.Design>> & Sendable = \.path
      #expect(lego.scope(path, id: "Emma", change: { .path(.screen($0, $1)) }) == nil)
      lego.build(.open("Emma"))
      let child = lego.scope(path, id: "Emma", change: { .path(.screen($0, $1)) })
      child?.build(.read)
      #expect(lego.design.path.top?.isRead == true)
      lego.build(.path(.move(.pop)))
      lego.build(.open("Emma"))
      child?.build(.read)
      #expect(lego.design.path.top?.isRead == false)
    }
  }

  // Row of FromLBPresenter: `SheetPresenterState`, `Sheet`, `presented`
  @Test func `what is presented is a value in the design, and a part of the feature`() {
    struct Plain: Blueprint {
      typealias Design = Presented<Book.Design>
      typealias Change = PresentedChange<Book>
      func change(_ design: inout Design, on change: Change) {}
    }
    let feature = Feature(Plain()).presented(\.self, .whole, Feature(Book()))
    let lego = Lego([.init(id: "Emma")], feature: feature)
    lego.build(.screen("Emma", .read))
    #expect(lego.design.top?.isRead == true)
  }

  // Row of FromLBPresenter: `present(_:)`, `LBSheetPresenter`
  @Test func `a sheet is presented, and nothing in its place dismisses it`() {
    let lego = shelf()
    let moves: [Presented<Book.Design>.Move] = [.present(.init(id: "Emma")), .dismiss, .dismiss]
    var shown: [String?] = []
    for move in moves {
      lego.build(.presented(.move(move)))
      shown.append(lego.design.presented.top?.id)
    }
    #expect(shown == ["Emma", nil, nil])
    for id in ["Emma", nil] { lego.build(.peek(id)) }
    #expect(lego.design.presented.isEmpty)
  }

  // Row of FromLBPresenter: `sheet(item:)`
  @Test func `what is drawn over the rest is the top of what is presented`() {
    func drawn(_ presented: Presented<Book.Design>) -> String? { presented.top?.id }
    let lego = shelf()
    #expect(drawn(lego.design.presented) == nil)
    lego.build(.peek("Emma"))
    #expect(drawn(lego.design.presented) == "Emma")
    let item: Glue<String?> = lego.glue(\.presented.top?.id, change: Shelf.Change.peek)
    item.wrappedValue = nil
    #expect(drawn(lego.design.presented) == nil)
  }

  // Row of FromLBPresenter: `getPresentedChild(for:reducer:)`
  @Test func `a presented child is a scope of what is presented`() {
    let lego = shelf()
    let presented: any KeyPath<Shelf.Design, Presented<Book.Design>> & Sendable = \.presented
    lego.build(.peek("Emma"))
    let child = lego.scope(presented, id: "Emma", change: { .presented(.screen($0, $1)) })
    child?.build(.read)
    #expect(lego.design.presented.top?.isRead == true)
  }

  // Row of FromLBPresenter: `Effect.dismiss`
  @Test func `a screen says that it is done, and its parent closes it`() {
    let problems = Collected<String>()
    withContractors {
      $0.problemSink = LogSink { problems.append($0) }
    } operation: {
      let lego = shelf()
      lego.build(.peek("Emma"))
      let close: Presented<Book.Design>.Move = .close("Emma")
      lego.build(.presented(.screen("Emma", .done)))
      #expect(lego.design.presented.isEmpty)
      lego.build(.presented(.move(close)))
      #expect(problems.values.isEmpty)
    }
  }

  // Row of FromLBPresenter: `binding(for:send:)`
  @Test func `a binding is a glue`() {
    let lego: Lego<Shelf> = shelf()
    let search: Glue<String> = lego.glue(\.search, change: Shelf.Change.search)
    search.wrappedValue = "Austen"
    #expect(lego.design.search == "Austen")
  }

  // Row of FromLBPresenter: `.bind(_:to:)`, `@FocusState`, `focusChanged`
  @Test func `the focus is a value in the design`() {
    let lego: Lego<Shelf> = shelf()
    let focus: any KeyPath<Shelf.Design, FormFocus<Shelf.FieldName>> & Sendable = \.focus
    let field = lego.glue(\.focus.field, change: Shelf.Change.focusChanged)
    field.wrappedValue = .author
    #expect(lego.design[keyPath: focus].field == .author)
    field.wrappedValue = nil
    #expect(lego.design[keyPath: focus].field == nil)
  }

  // Row of FromLBPresenter: validation
  @Test func `a field knows what is wrong with its value`() {
    let lego: Lego<Shelf> = shelf()
    let title = lego.glue(field: \.title, change: Shelf.Change.title)
    title.wrappedValue = "Emma"
    #expect(lego.design.title.issue == nil)
    title.wrappedValue = ""
    #expect(lego.design.title.issue == "missing")
  }

  // Row of FromLBPresenter: `LBPresenter.xctemplate`
  @Test func `a template is written by the plugin`() throws {
    #expect(Arguments.help.contains("swift package lego feature"))
    let arguments = try #require(try Arguments(["feature", "Camera"]))
    let texts = arguments.feature(in: .example).map(\.text)
    #expect(texts.count == 3)
    #expect(texts.contains { $0.contains("struct CameraBlueprint: Blueprint") })
    #expect(texts.contains { $0.contains("final class CameraAdaptor: Adaptor<CameraBlueprint>") })
  }
}
