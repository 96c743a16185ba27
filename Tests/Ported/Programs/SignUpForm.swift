import LegoPublishers

// A form whose button is enabled once every field is valid.

final class SignUpForm {
  let name = CurrentValueSubject<String, Never>("")
  let password = CurrentValueSubject<String, Never>("")
  let repeated = CurrentValueSubject<String, Never>("")
  let acceptsTerms = CurrentValueSubject<Bool, Never>(false)
  let canSubmit = CurrentValueSubject<Bool, Never>(false)
  private var cancellables: [AnyCancellable] = []

  var passwordProblem: AnyPublisher<String?, Never> {
    Publishers.CombineLatest(password, repeated)
      .map { password, repeated -> String? in
        if password.count < 8 { return "too short" }
        if password != repeated { return "not the same" }
        return nil
      }
      .removeDuplicates()
      .eraseToAnyPublisher()
  }

  init() {
    name
      .map { !$0.isEmpty }
      .combineLatest(passwordProblem.map { $0 == nil }, acceptsTerms)
      .map { $0 && $1 && $2 }
      .removeDuplicates()
      .subscribe(canSubmit)
      .store(in: &cancellables)
  }
}
