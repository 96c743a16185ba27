import Dispatch
import LegoKit
import LegoPublishers
import Testing

/// Programs written for Combine, with nothing changed but the import and what the page says.
@Suite struct `A ported program` {
  @Test func `answers a change with a future`() async {
    await withContractors {
      $0.permissionsClient = PermissionsClient(status: { .refused }, request: { .allowed })
    } operation: {
      let lego = Lego(.init(), blueprint: CameraBlueprint(), adaptors: [CameraAdaptor()])
      lego.build(.readStatus)
      #expect(lego.design.status == .refused)
      await lego.build(.requestAccess).finished()
      #expect(lego.design == .init(status: .allowed, asked: 1))
    }
  }

  @Test func `monitors a path`() {
    let monitor = PathMonitor()
    for status in [PathStatus.unsatisfied, .satisfied, .satisfied, .unsatisfied] {
      monitor.pathUpdated(to: status)
    }
    #expect(monitor.status == .unsatisfied)
    #expect(monitor.entries == ["online", "offline"])
    monitor.stop()
    monitor.pathUpdated(to: .satisfied)
    #expect(monitor.entries == ["online", "offline"])
  }

  @MainActor @Test func `searches after a pause, and shows the last answer`() async throws {
    let model = SearchModel(pause: 0.02) { text in
      text == "x"
        ? Fail(error: .offline).eraseToAnyPublisher()
        : Just([text.uppercased()]).setFailureType(to: SearchError.self).eraseToAnyPublisher()
    }
    for text in ["c", "ca", "cat"] { model.query.send(text) }
    while model.searches < 1 { try await Task.sleep(for: .milliseconds(2)) }
    #expect(model.results == ["CAT"])
    model.query.send("x")
    while model.searches < 2 { try await Task.sleep(for: .milliseconds(2)) }
    #expect(model.results == ["no connection"])
  }

  @Test func `enables its button once a form is valid`() {
    let form = SignUpForm()
    form.name.value = "Ada"
    form.password.value = "difference"
    #expect(!form.canSubmit.value)
    form.repeated.value = "difference"
    form.acceptsTerms.value = true
    #expect(form.canSubmit.value)
    form.repeated.value = "engine"
    #expect(!form.canSubmit.value)
  }

  @Test func `loads a list page by page`() {
    struct Gone: Error {}
    let list = PagedList { number in
      Future { promise in
        promise(
          number < 2
            ? .success(Page(items: ["item \(number)"], next: number + 1)) : .failure(Gone()))
      }
    }
    for _ in 0..<4 { list.loadMore() }
    #expect(list.items.value == ["item 0", "item 1"])
    #expect(list.isLoading.value)
  }
}
