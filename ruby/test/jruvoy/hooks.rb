# frozen_string_literal: true

# SPDX-License-Identifier: Apache-2.0

require "jruvoy/hooks"
require "jruvoy/self_check"

# Each test has a JRuby of its own in this process, in which no hook is loaded yet.
describe Jruvoy::Hooks do
  # What a JRuby does whose operation has learnt to ask the scheduler.
  GAIN = <<~RUBY
    require "monitor"
    require "socket"

    def gain(type, name)
      type.prepend(Module.new do
        define_method(name) do |*arguments, **options, &block|
          scheduler = Fiber.current_scheduler
          scheduler ? scheduler.block(self, nil) : super(*arguments, **options, &block)
        end
      end)
    end
  RUBY

  GAINED = {
    accept: "TCPServer, :accept",
    condition_variable: "Thread::ConditionVariable, :wait",
    connect: "TCPSocket.singleton_class, :new",
    copy_stream: "IO.singleton_class, :copy_stream",
    io_close: "IO, :close",
    monitor: "Monitor, :synchronize",
    mutex: "Thread::Mutex, :synchronize",
    pass_io: "UNIXSocket, :recv_io",
    process: "Process.singleton_class, :wait",
    queue: "Thread::Queue, :pop",
    receive: "BasicSocket, :recv",
    resolve: "Addrinfo.singleton_class, :getaddrinfo",
    sized_queue: "Thread::SizedQueue, :push",
    sysread: "IO, :sysread",
    thread: "Thread, :join"
  }.freeze

  # Tells which hooks are loaded, and whose queue a new one is.
  TELL = <<~RUBY
    require "jruvoy/hooks"
    loaded = $LOADED_FEATURES.filter_map { |path| path[%r{/jruvoy/hooks/(\\w+)\\.rb\\z}, 1] }
    [Jruvoy::Hooks.native, Jruvoy::Hooks::NAMES & loaded.map(&:to_sym)].inspect
  RUBY

  # Run Ruby in a runtime of its own.
  # @returns [String] What it returned.
  def elsewhere(text)
    Thread.new do
      config = org.jruby.RubyInstanceConfig.new
      config.load_paths = $LOAD_PATH.map(&:to_s)
      ruby = org.jruby.Ruby.new_instance(config)
      ruby.eval_scriptlet(text).to_s
    ensure
      ruby&.tear_down(false)
    end.value
  end

  it "are loaded where JRuby has none" do
    expect(elsewhere(TELL)).to be == [[], subject::NAMES].inspect
  end

  it "step aside where JRuby has its own" do
    names = GAINED.keys
    text = "#{GAIN}\n#{GAINED.values.map { |gained| "gain(#{gained})" }.join("\n")}\n#{TELL}"

    expect(names).to be == subject::NAMES
    expect(elsewhere(text)).to be == [names, []].inspect
  end

  it "step aside one by one" do
    %i[queue process accept].each do |name|
      text = "#{GAIN}\ngain(#{GAINED.fetch(name)})\n#{TELL}"

      expect(elsewhere(text)).to be == [[name], subject::NAMES - [name]].inspect
    end
  end

  it "are missed by the self-check when they are not there" do
    error = elsewhere(<<~RUBY)
      require "jruvoy/selector"
      folder = File.join(File.dirname($LOADED_FEATURES.grep(/jruvoy.selector/).first), "hooks")
      %w[
        accept condition_variable copy_stream io_close mutex pass_io queue receive sized_queue sysread thread
      ].each do |name|
        $LOADED_FEATURES << File.join(folder, "\#{name}.rb")
      end
      require "jruvoy/self_check"
      Jruvoy::SelfCheck.send(:remove_const, :PAUSE)
      Jruvoy::SelfCheck::PAUSE = 0.05
      begin
        Jruvoy::SelfCheck.run!
      rescue Jruvoy::SelfCheck::Error => error
        error.message
      end
    RUBY

    expect(error).to be =~ /\AJRuby \S+ does not fit this Jruvoy: .+\z/
    expect(error.scan(/(\w+) blocks the owner/).flatten).to be == %w[
      accept condition_variable copy_stream mutex pass_io queue receive sized_queue sysread thread
    ]
    expect(error).to be(:end_with?, "IO#close does not end the waits of others")
  end
end
