import LegoKit

// A list that pushes a screen, and presents one over it which dismisses itself, and pushes more.

struct BookDetail: Blueprint {
  struct Design: Equatable, Identifiable {
    let id: String
    var isRead = false
  }

  enum Change: Equatable {
    case read
    case dismiss
  }

  func change(_ design: inout Design, on change: Change) {
    if change == .read { design.isRead = true }
  }
}

/// What is presented: a flow of its own, with a book as its root.
typealias BookFlow = Flow<BookDetail, BookDetail>

struct Bookshelf: Blueprint {
  struct Design: Equatable {
    var path: Stack<BookDetail.Design> = []
    var presented: Presented<BookFlow.Design> = []
  }

  enum Change: Equatable {
    case pushDetail
    case present(BookDetail.Design?)
    case path(StackChange<BookDetail>)
    case presented(PresentedChange<BookFlow>)

    var path: StackChange<BookDetail>? { if case .path(let change) = self { change } else { nil } }
    var presented: PresentedChange<BookFlow>? {
      if case .presented(let change) = self { change } else { nil }
    }
  }

  func change(_ design: inout Design, on change: Change) {}

  static let feature: Feature<Bookshelf> = Feature(Bookshelf())
    .stack(\.path, .case({ .path($0) }, \.path), Feature(BookDetail()))
    .presented(
      \.presented, .case({ .presented($0) }, \.presented),
      .flow(root: Feature(BookDetail()), screens: Feature(BookDetail()))
    )
    .navigation(\.path) { change -> Stack<BookDetail.Design>.Move? in
      change == .pushDetail ? .push(.init(id: "pushed")) : nil
    }
    .navigation(\.presented) { change -> Presented<BookFlow.Design>.Move? in
      switch change {
      case .present(let model?):
        return .present(.init(root: model))
      case .present(nil):
        return .dismiss
      case .presented(.screen(let id, .root(.dismiss))):
        return .close(id)
      default:
        return nil
      }
    }
}

/// What shows the shelf: the screen on top, and the one over it.
struct BookshelfScreen {
  let presenter: Lego<Bookshelf> = .init(.init(), feature: Bookshelf.feature)

  var drawn: [String] {
    let design = presenter.design
    return [design.path.top?.id ?? "shelf"]
      + design.presented.screens.map { $0.path.top?.id ?? $0.id }
  }

  /// The path, which a back button writes to.
  var path: Glue<[BookDetail.Design]> {
    presenter.glue(\.path.screens) { .path(.move(.set($0))) }
  }

  func pushed(_ id: String) -> LegoScope<BookDetail.Design, BookDetail.Change>? {
    presenter.scope(\.path, id: id, change: { .path(.screen($0, $1)) })
  }

  func presented(_ id: String) -> LegoScope<BookFlow.Design, BookFlow.Change>? {
    presenter.scope(\.presented, id: id, change: { .presented(.screen($0, $1)) })
  }
}
