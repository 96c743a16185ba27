import Foundation
import LegoEndpoints
import LegoKit
import LegoTesting
import Testing

/// Answers as changes of a store.
@Suite(.timeLimit(.minutes(5))) struct StoreTests {
  struct Photo: Codable, Equatable, Sendable {
    var id: Int
    var title: String
  }

  struct GetPhoto: Endpoint {
    typealias Answer = Photo
    var id: Int
    var path: EndpointPath { "/photos/\(id)" }
  }

  struct Album: Blueprint {
    struct Design: Equatable, Sendable {
      var title = ""
      var problem: EndpointError.Code?
    }

    enum Change: Equatable, Sendable {
      case open(Int)
      case openNow(Int)
      case leave
      case arrived(Result<Photo, EndpointError>)
    }

    func change(_ design: inout Design, on change: Change) {
      switch change {
      case .arrived(.success(let photo)): design.title = photo.title
      case .arrived(.failure(let error)): design.problem = error.code
      case .open, .openNow, .leave: break
      }
    }
  }

  final class AlbumAdaptor: Adaptor<Album> {
    @Contractor(\.endpoints) private var endpoints: Endpoints

    override func connect(
      _ design: Album.Design, on change: Album.Change
    ) -> AnyPublisher<Album.Change, Never> {
      guard case .open(let id) = change else { return .empty }
      return endpoints.future(GetPhoto(id: id)).map { .arrived(.success($0)) }
        .catch { Just(.arrived(.failure($0))) }.eraseToAnyPublisher()
    }

    override func effect(_ design: Album.Design, on change: Album.Change) -> Effect<Album.Change> {
      switch change {
      case .openNow(let id): .answer(to: GetPhoto(id: id)) { .arrived($0) }.id("photo")
      case .leave: .cancel(id: "photo")
      default: .none
      }
    }
  }

  private let stubs = EndpointStubs()

  @Test(.contractors) func `a future brings its answer or error into a store`() async {
    stubs.on(GetPhoto.self) {
      $0.id > 0 ? .answer(Photo(id: $0.id, title: "sea")) : .response(status: 404)
    }
    await withContractors {
      $0.endpoints = Endpoints(stubs: stubs)
    } operation: {
      let lego = Lego(.init(), blueprint: Album(), adaptors: [AlbumAdaptor()])
      lego.build(.open(1))
      for await title in lego.observe(\.title) where title == "sea" { break }
      lego.build(.open(0))
      for await problem in lego.observe(\.problem) where problem == .status { break }
    }
    #expect(stubs.sent.map(\.url.path) == ["/photos/1", "/photos/0"])
  }

  @Test(.contractors) func `an effect brings its answer, and is cancelled by its id`() async {
    let clock = TestClock()
    stubs.on(
      GetPhoto.self, inTurn: .json(Photo(id: 1, title: "sea")), .silence,
      .answer(Photo(id: 3, title: "hill")).after(.seconds(2)))
    await withContractors {
      $0.endpoints = Endpoints(stubs: stubs)
      $0.clock = clock
    } operation: {
      let lego = Lego(.init(), blueprint: Album(), adaptors: [AlbumAdaptor()])
      await lego.build(.openNow(1)).finished()
      #expect(lego.design.title == "sea")
      let waiting = lego.build(.openNow(2))
      await clock.waitForSleepers()
      lego.build(.leave)
      await waiting.finished()
      #expect(lego.design.problem == nil)
      let slow = lego.build(.openNow(3))
      await clock.waitForSleepers()
      #expect(clock.sleeperCount == 1)
      await clock.advance(by: .seconds(2))
      await slow.finished()
      #expect(lego.design == Album.Design(title: "hill"))
    }
  }

  @Test(.contractors) func `stubs fail as servers do`() async {
    let clock = TestClock()
    await withContractors {
      $0.clock = clock
    } operation: {
      let endpoints = Endpoints(stubs: stubs, retry: .never)
      #expect(await endpoints.error(of: GetPhoto(id: 1))?.code == .noStub)
      stubs.on(GetPhoto.self) { _ in .failure(.connectionLost) }
      #expect(await endpoints.error(of: GetPhoto(id: 1))?.code == .connectionLost)
      stubs.on(GetPhoto.self) { _ in .json(Double.infinity) }
      #expect(await endpoints.error(of: GetPhoto(id: 1))?.code == .noStub)
      stubs.on(GetPhoto.self) { _ in .response(body: Data("{".utf8)) }
      #expect(await endpoints.error(of: GetPhoto(id: 1))?.code == .notDecodable)
      stubs.on(GetText.self) { _ in .answer("made") }
      var created = GetText("/")
      created.success = [201]
      #expect(await endpoints.error(of: created) == nil)
      for late in [StubAnswer<Photo>.silence, .response().after(.seconds(31))] {
        stubs.on(GetPhoto.self) { _ in late }
        async let error = endpoints.error(of: GetPhoto(id: 1))
        await clock.waitForSleepers()
        await clock.advance(by: .seconds(30))
        #expect(await error?.code == .timedOut)
      }
    }
  }
}
