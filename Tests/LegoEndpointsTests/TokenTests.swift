import Foundation
import LegoEndpoints
import LegoKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct TokenTests {
  /// A provider that gives `token-1`, `token-2` and so on.
  private final class Provider: Sendable {
    let asked = Collected<String?>()

    var authentication: EndpointAuthentication {
      .bearer { [asked] refused in
        asked.append(refused)
        await Task.yield()
        return "token-\(asked.values.count)"
      }
    }
  }

  @Test func `many refused calls ask for one new token`() async throws {
    let provider = Provider()
    let endpoints = try Endpoints.local(authentication: provider.authentication)
    let answers = await withTaskGroup(of: String?.self) { group in
      for _ in 0..<50 {
        group.addTask { try? await endpoints.answer(to: GetText("/private/token-2")) }
      }
      return await group.reduce(into: [String?]()) { $0.append($1) }
    }
    #expect(answers == Array(repeating: "secret", count: 50))
    #expect(provider.asked.values == [nil, "token-1"])
    await endpoints.close()
  }

  @Test func `a call that is refused twice fails`() async throws {
    let provider = Provider()
    let endpoints = try Endpoints.local(authentication: provider.authentication)
    let error = await endpoints.error(of: GetText("/private/none"))
    #expect(error?.status == 401)
    #expect(provider.asked.values == [nil, "token-1"])
  }

  private static let fixed: [(EndpointAuthentication, String?)] = [
    (.basic(user: "u", password: "p:w"), "Basic dTpwOnc="), (.bearer("t"), "Bearer t"),
    (.header("X-Key", "k"), nil), (.none, nil),
  ]

  @Test(arguments: fixed)
  func `a fixed secret is sent`(
    authentication: EndpointAuthentication, value: String?
  ) async throws {
    let echo = try await Endpoints.local(authentication: authentication).answer(to: GetEcho())
    #expect(echo.headers["authorization"] == value)
    #expect((echo.headers["x-key"] == "k") == "\(authentication)".hasPrefix("X-Key"))
  }

  @Test func `a provider that fails is asked again by the next call`() async throws {
    struct Locked: Error { var secret = "hush" }
    let counter = Collected<Int>()
    let endpoints = try Endpoints.local(
      authentication: .bearer { _ in
        counter.append(1)
        if counter.values.count == 1 { throw Locked() }
        return "good"
      })
    let error = await endpoints.error(of: GetText("/private/good"))
    #expect(error?.code == .noToken)
    #expect(error?.reason == "no token: Locked")
    #expect(try await endpoints.answer(to: GetText("/private/good")) == "secret")
  }

  @Test func `a provider that hangs holds nobody who is cancelled, nor those who come later`()
    async throws
  {
    let asked = Collected<Bool>()
    let cancelled = Collected<Bool>()
    let endpoints = try Endpoints.local(
      authentication: .bearer { _ in
        asked.append(true)
        if asked.values.count > 1 { return "good" }
        await withTaskCancellationHandler {
          try? await Task.sleep(for: .seconds(600))
        } onCancel: {
          cancelled.append(true)
        }
        return "late"
      })
    let calls = (0..<10).map { _ in
      Task { await endpoints.error(of: GetText("/private/good")) }
    }
    while asked.values.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
    for call in calls { call.cancel() }
    for call in calls { #expect(await call.value?.code == .cancelled) }
    #expect(try await endpoints.answer(to: GetText("/private/good")) == "secret")
    #expect(!cancelled.values.isEmpty)
  }

  @Test func `tokens are kept while calls come and go`() async {
    let stubs = EndpointStubs()
    stubs.on(GetText.self) { _ in .response() }
    for round in 0..<300 {
      let endpoints = Endpoints(
        stubs: stubs,
        authentication: .bearer { _ in
          for _ in 0..<(round % 4) { await Task.yield() }
          return "token"
        })
      let calls = (0..<8).map { _ in Task { await endpoints.error(of: GetText("/")) } }
      for (number, call) in calls.enumerated() where number < round % 9 { call.cancel() }
      for (number, call) in calls.enumerated() {
        let code = await call.value?.code
        #expect(code == nil || code == .cancelled && number < round % 9)
      }
      #expect(await endpoints.error(of: GetText("/")) == nil)
    }
  }

  @Test func `a token that cannot be sent is refused`() async throws {
    let endpoints = try Endpoints.local(authentication: .bearer { _ in "a\r\nX: y" })
    #expect(await endpoints.error(of: GetEcho())?.code == .invalidRequest)
  }
}
