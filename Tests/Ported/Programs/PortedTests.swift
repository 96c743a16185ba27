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

  @MainActor @Test func `shows scores in an object on the main actor`() {
    let scores = PassthroughSubject<Int, Never>()
    let board = ScoreBoard(scores)
    scores.send(3)
    #expect(board.score == 3)
    #expect(board.label == "3 points")
  }

  @Test func `iterates values, and awaits a future without try`() async {
    var seen: [Int] = []
    for await value in [1, 2, 3].publisher.map({ $0 * 2 }).values { seen.append(value) }
    #expect(seen == [2, 4, 6])
    let future = Future<Int, Never> { $0(.success(7)) }
    #expect(await future.value == 7)
  }

  @Test func `iterates values that may fail`() async throws {
    var seen: [Int] = []
    for try await value in [1, 2].publisher.tryMap({ $0 + 1 }).values { seen.append(value) }
    #expect(seen == [2, 3])
  }

  #if swift(<6)
    @Test func `counts in a variable`() {
      var count = 0
      let token = [1, 2, 3].publisher.sink { count += $0 }
      #expect(count == 6)
      token.cancel()
    }
  #endif
}
