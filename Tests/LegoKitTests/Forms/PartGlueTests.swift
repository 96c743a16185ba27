import Synchronization
import Testing

@testable import LegoKit

@Suite struct `The glue of a value that may go` {
  private struct Sheet: Blueprint {
    enum Page: Equatable, Sendable {
      case text(String)
      case end

      var text: String? { if case .text(let text) = self { text } else { nil } }
    }

    struct Design: Equatable, Sendable {
      var note: String? = "a"
      var page = Page.text("b")
    }

    enum Change: Equatable, Sendable {
      case note(String)
      case page(String)
      case close
    }

    func change(_ design: inout Design, on change: Change) {
      switch change {
      case .note(let note): design.note = note
      case .page(let text): design.page = .text(text)
      case .close: design = Design(note: nil, page: .end)
      }
    }
  }

  @Test func `is read and written while it is there, and revives nothing`() throws {
    let problems = Collected<String>()
    try withContractors {
      $0.problemSink = LogSink { problems.append($0) }
    } operation: {
      let lego = Lego(.init(), blueprint: Sheet())
      let note = try #require(lego.glue(presented: \.note, change: Sheet.Change.note))
      let page = try #require(lego.glue(\.page, case: \.text, change: Sheet.Change.page))
      note.wrappedValue = "c"
      page.wrappedValue = "d"
      #expect(lego.design == Sheet.Design(note: "c", page: .text("d")))
      #expect(note.wrappedValue == "c")
      lego.build(.close)
      note.wrappedValue = "e"
      page.wrappedValue = "f"
      #expect(lego.design == Sheet.Design(note: nil, page: .end))
      #expect(note.wrappedValue == "c")
      #expect(page.wrappedValue == "d")
      #expect(problems.values.count == 2)
      #expect(lego.glue(presented: \.note, change: Sheet.Change.note) == nil)
      #expect(lego.glue(\.page, case: \.text, change: Sheet.Change.page) == nil)
    }
  }
}
