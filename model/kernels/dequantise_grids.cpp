// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/kernels/dequantise_grids.h"

#include "model/kernels/half.h"

#include <array>
#include <bit>
#include <cstring>
#include <string_view>

namespace headscope
{
namespace
{

// A grid is a list of points, groups of K numbers out of few values; a block holds the places of points in the list.
// The lists are written by their order: a point is the number whose digits, to the base of the count of values and the
// lowest first, are its K values, and these numbers ascend. A character stands for the distance to the point before.

constexpr char kNoDistance = '#'; ///< a distance of 0
constexpr int kFarther = 91;      ///< what kNoDistance adds to the distance of the character behind it

constexpr std::string_view kIQ2_XXS =
    R"($%%%%%%)%'%%%))'%)%)/+%)'1A//%5G=%)-%)%'/-%)/)%'/17%-;%5A5)'%)/'%)%9;;[-i%)-+5/)'1)/5+-S-U)/'/7MCE1g%)5?)"
    R"(='gQO%)93+%U+S%s%)51K?7#(;/S#FW%))'%))+'-%)55?+';+;+-A)/G39-_u%)5'UM'-[C5)')%G);=Qis%;mIM-)C__q)5;AK[AG')"
    R"(y%Q#N##C%)7??//ck%)'15GCE975Iu{m)/)Q9K]U7-{#|O#ZE9Am#(##uS)";
constexpr std::string_view kIQ2_XS =
    R"($%%%%%%%%%%%%'%%%%%%%'%)%%%'%'%-%%%%%%%%%%)%%%'%))'%)5%%%'%)-%)'1+7%%%%%%%'%)%%%'%%'-%)5%%%'%)-%)-+?%)1')"
    R"(%?;%%%%%%)')%))/5+%%)5?)75)O'-%%%%%%%'%)%%%'%)+%%)5%%%'%)-%)5/%1%%'55G%%%'%)-%'%/)?%)5Y/9S%)%3/79'QgM%%%)"
    R"(%%%%)-%)55-%)5)3C7E;'%)3%Y?-C/3_')%-971]/;/I'%7%%%%%%%'%)%%%%%%)')%)5%%%'%)-%)5'3+%)%1%Y%%%'%'%-%)5/3%)/)"
    R"()O-+9)Q%)5'++E-7)3Cq%%%'%))'%)5?%)'1%WAU%%)-+5-5+)S)KC9+/3+E?-%#6;%)5/+/7%#.1A31o5'O{WUcE+E%%%'%)+%%)5%9)"
    R"(%%%%'5-)I5G%3)'%)%%1537AQ7I?)39-%9+#(E)+-'%)513;7?m77'=))cI%O}KI_CG%'%-+QQ)E'%'7?5GK#X77-%'S))Y%Q%I3)";
constexpr std::string_view kIQ2_S =
    R"($%%%%%%%%%%%%'%%%%%%%'%%%%%%%'%)''%%%%%%%%'%)%%%'%%%%'%'%)%%)%)%%%'%)+%%%%%'1'''++%%%%%%%'%%%%%%%%%%%%%%)"
    R"(%)%%%%'%'%)%%%%%%%%%'%'%%%%%%%'%)%%%'%)-%%%%'1'%'%)-%)5%%%'%%%%''%%%%%%%%'%)'+1%%)%%%'+'%'%)-+5-%+'%-E/%)"
    R"(%%%%%%'%%'%%%'%%%%%%%'%%''%'%)%%%%%%%%%%%%'%%%%%%%'%)%%%'%3%'%')%)')%3%)5%%%'%%%%'%'%%%%%%%'%)%%%'%)-%%%)"
    R"(%%%%'%)%%%'%)-%)5'%'%)-%)5=%%%%%'%'+%%%'%)-%;%%%'%)-%)39-)51K%%%'%%%%''%%)%%+)+'1%%)%%)+%%)%)-%)5+/'%');)"
    R"(%3'%%%%'%'%)%%%'%)-%)5'%'%)-%)1'?%)53I')%3%)=5%%)]9/?/%7%%%%%%%%%%%'%%%%%%%%%%%)%)'%'%)%%%'%%%%%%)%%%%%%)"
    R"(%'%)%%%'%)-%)%%%))'%'%)-%;%%%%%%%%%%%%'%%%%%%%'%)%%%'%)-%%%%%%%'%)%%%'%)+%%)5%%%'%)-%)59)%'%%%%'%)%%%'%))"
    R"(/)5%%%'%)-%)511%)5Y%%%'%%%%%%%'%%%%%%%'%)%%%'%3%%%%%%%'%)%%%'%)-%)5'%'%)-%)3%?%%%%%%%'%)%%%'%)-%)5%%%'%))"
    R"(-%)5?%)1'Y%%%'%)-%)+-?%)5Y3M7'%%'%%%'%)'%'%)/)5%%%'%)-%)531)51C+'%'%)-%)5?%)5+313e3%)K7/=wO+%%%'%'%')%)%)"
    R"(%%'+')%3%'%%%%'%)%%%'%3%)3%''%%3%)Q%%%%%%%'+%%%'%)-%)5%%%'%)-%)5+7%)3%Y')%3%)I+%;9W9%/5+%'%%%%))%%%'%)-%)"
    R"()5')%3%)+I%)5U'%%%'%)-%)511%)5M'+C3E%)1'W%E'#25'''+)%%)I)?9E)/'%A'%3'%)5E1)3#.W3UQ7?%-%'G7)";
constexpr std::string_view kIQ3_XXS =
    R"($%%(%'$%*,<%'%(%*'&%*./+%%(*%*%'-)1')$%.F67(./%')63V:7'%813%(%*%(%%.$;%**%R%(%**E)%1,03.'FK'56/p1C%*%(%')"
    R"(&,B%%&%**>'$+%*)$%0$07*'O'D1;7->h%.:?*%*%80()%1,.%>%(08325`26))/>B58K87.1%/'p72$3)4ABH.D18p&%1U::+)3:B1C)"
    R"(+L@.'F+:rO1U3%1@CAHG)iDHTK1U%%$53O-M>(9018D3B%5g)";
constexpr std::string_view kIQ3_S =
    R"($$$&%$$$%%%$')(%&%%%(%*&&$$$%'$'&&'%'*0'()$'%$&&&'&')&%%%0&+)'&%*%&)'%0%'&.'%&))&)2-%/%'()'%2(.&%142*%%/)"
    R"(%'(0'7$$%'$%%%$%*&%1%&,)$%&%'(*&)*%1)%-&%$'))&-&-*&&$&))$'(4).%(%0%*'%'8*&)*%2J'&0%>%(%*/'4)+$%%%$%%%&%')"
    R"($%*%%&%0$&%&%)&'&&'&)*;&&-%(*%-'-&'%&',%(%*)1.),&*&'<&*(,0$.0+%(-?'7'0%.(=*%%%&*%%(%&%-)+%%*(%03-'%-)-%/)"
    R"(<*'(%'$,%')1+)('*4)'0*%.(--066C%0%.F'))'&&**3-(%%*)())'7%(('-(2&)/(%(%*'F%5.$</%-D<47;(..)<)')1'&&/)(%%()"
    R"(*,C),-()0:($20(/))&/-/G/6%ZC%1Z%%/%833*@95).()+/(2X121&<78>L%X'&,%/%/)3*.2%?&')&*4<;&19')(;M3C:J)";
constexpr std::string_view kIQ1_S =
    R"($%%%%%&(%'%()%%+(%'%((%'%'$)%%%$()'%'%'%%%$*)%%+(%'%((%'%())('%%'%%&&%%'%.%%+)))''$2)))%$$+%%+%''$$%$$%%)"
    R"(%%%%%,&%%%%$$%1'/%)%%%&$'%))%'.%'%((%'%()'+(%'%((%'%()%'($)+$&)%'/%%%)(%'%((%'%())&&(%%%%((%'%-$%'($)%)')"
    R"(%'%$&/%%(&)%%%%%%%'%')'$$$$$$%%'++%)%3%%+((%'%%%'%+)%%+)'%($%$&'(&$$%%%$$%'%%)'%&$%$$%%$&'%'%%$$%%%%%%%%)"
    R"($$($$$$%$%%$$%%%$$%%$$%$$%$$%%)%$$+$$%%''%$$%%%&$$$&%$%$$)&&%+'/'+)%%%%'%%$$%%%))%-1%%'%&*$$%'%$$%$$''+&)"
    R"($%%''%,**%*%%%%%%''%))'&-%'%((%%%%())&&(%'%((%%%%()%')*$')%%%%$$+((%))(%%&(%'%()'%))(%%&(%'%(+%%)+$$%'%%)"
    R"(%)+)%'&&/)))%'%'%$&'%%-%&$%%%%%%)(%())))($)(%'+-%'%((%'%()%-(%'%-%'%+&%')-%'%)%%%)((%($(%'%-%'%()'%)(%'%)"
    R"(((%'%()'+/'%%%%%%3'&''$%%%'%$$%%'%)%%%%$$%$(%%%%%'%%($$.)%%+)-%''',(-)/&,)%%%%$$($%%%%'%%%%($)&$%'%%$$%%)"
    R"(''%%$$%%$%$$$$&%$$%'$$%'%$$%$(%%%&&($%%%%'%%%%&$$%$%'%%'&''$)%%+)&'(*(%'%'%%%))%%%))&$&$&$%'%%'''%$$$$%%)"
    R"(%%$&)%'%$$'%%%33%%)%%''1-)%$$%'%'%%'%'%'%$$%)%+%)%&$'%)%$$%%$$$$%'$$%%%$$%%$$$$$$$$%%$$%'%)%$$%%''%')%'%)"
    R"(%+%'%%$$%'%,(%%&$',$)%$$$$&&%%%%$$%$$$%$$$$$%$$$$%%)%%%$$%&%$'%$$$$%%$$$$$%$%%$$%%$$$$$$$%$$$$$$$$$$%$$$)"
    R"($$%%$&$$$%$$$$&%$$%%$$$%$$&%$%$%$$$$$$$&&$$$$$$$$$$$$$%%$&'%$$$$%&'&%$$$($$%%'%'*(%%%%$$$$%%$$*(%%%%')&$)"
    R"(%'%%$$%))%$$%%$$$$$$$$%%$$%&&&&%$$$$)+&*'$'$%)%$&&$$$'%%%%*&%$$%%/+%%)+)'$$%%%%%&0+)%%%'%)$&%)&&&$%)$&'()"
    R"(&%)'%/'%.$'+$$&0)'+2$%$&%'%%%%%%%%$$%$$%%+$&%%$$$$%%%')%%%&$%1$$%%$%$$%&%$$%*%$%&$%$&%$$(()(($$%'%%%%$$$)"
    R"(%$'%&%%''%$$%&%&2%))-%'%)))(+(%)')%%%%$&$$'%$$%%''&$(()%$&/'$0%'%'%%'$&**&%)'%'%-%'%(($%%%)(%'%((%'%()%%)"
    R"(%))%'%%%$$$(%%)&(%%)(%'%((%'%.%')(%'%((%'%0'/%*&'%%'1'/)'%')%%$&%'%$$%$($$%%%%%%%%%+1'%))%'$$'&$%'&()*'))"
    R"(%'%((%'%%&)%')&%%'%((%'%($(%%+)%%%%%%'%%--%)(%'%((%'%()%%0%'%((%'%()'$$))'%)%%+$()%%%))%%%%'%%%%%%%'($%$)"
    R"($%'%+%)%%'%%%))%')+%%%%%%+%)+%.&%%''%+'+%%$$$$%$$%+%)$$%')%'%%$$%$$%&&&$%%$$%%$$$$$$$$%%$$%&&%'$$$$%$$%%)"
    R"(%%%%)'&%(%)%$&$%$%)%($'$&$$+%%)-%))''%%$&'$,)'%)+%%%%%%%$$%%'%%%%%%$$%'%$&%%)%%'%'+,,+%%%'%'/)%$$0%'%((%)"
    R"('%()%%%.%'%((%'%(&&%%%$2%&&%%%%-(%&%0'%$*''%()'%)(%'%((%'%4))%)&$%%%&$$$)?%%%%%+%'%)%$$%)'%%$$%'%%3)'&%&)"
    R"(+%&&%$$&%/''$%&%%'%'%-%'%.%%%.%'%((%'%(+'&&)+''%'%.(0%'%-%'%.%%0%'%((%'%)";

template <std::size_t size, std::size_t dims>
using Grid = std::array<std::array<std::int8_t, dims>, size>;

template <std::size_t size, std::size_t dims, std::size_t count>
Grid<size, dims> gridOf(std::string_view distances, const std::array<std::int8_t, count>& values)
{
    Grid<size, dims> grid{};
    int point = -1;
    auto next = grid.begin();
    for (const char c : distances)
    {
        point += c == kNoDistance ? kFarther : c - kNoDistance;
        if (c == kNoDistance)
            continue;
        int digits = point;
        for (std::int8_t& number : *next)
        {
            number = values[static_cast<std::size_t>(digits) % count];
            digits /= static_cast<int>(count);
        }
        ++next;
    }
    return grid;
}

constexpr std::array<std::int8_t, 3> kValues2 = {8, 25, 43};

template <class T>
T loadAt(const std::uint8_t* from)
{
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

float halfAt(const std::uint8_t* from)
{
    return floatFromHalf(loadAt<std::uint16_t>(from));
}

/// Seven signs, and the eighth that makes the number of minuses even.
unsigned eightSigns(unsigned seven)
{
    return seven | static_cast<unsigned>(std::popcount(seven) & 1) << 7;
}

/// y = factor v(point), negative where the bit of its place is set.
template <std::size_t dims>
float* put(const std::array<std::int8_t, dims>& point, float factor, unsigned signs, float* y)
{
    for (std::size_t i = 0; i < dims; ++i)
        *y++ = factor * static_cast<float>(point[i]) * ((signs >> i & 1U) != 0 ? -1.0F : 1.0F);
    return y;
}

/// y = factor (v(point) + shift)
float* putShifted(const std::array<std::int8_t, 8>& point, float factor, float shift, float* y)
{
    for (const std::int8_t number : point)
        *y++ = factor * (static_cast<float>(number) + shift);
    return y;
}

constexpr float kShift = 0.125F; ///< of IQ1

const Grid<2048, 8>& grid1()
{
    static const auto grid = gridOf<2048, 8>(kIQ1_S, std::array<std::int8_t, 3>{-1, 0, 1});
    return grid;
}

} // namespace

void expandIQ1_S(const std::uint8_t* block, float* y)
{
    const float d = halfAt(block);
    for (int run = 0; run < 8; ++run)
    {
        const unsigned upper = loadAt<std::uint16_t>(block + 34 + 2 * run);
        const float factor = d * static_cast<float>(2 * (upper >> 12 & 7U) + 1);
        for (int l = 0; l < 4; ++l)
            y = putShifted(grid1()[block[2 + 4 * run + l] | (upper >> (3 * l) & 7U) << 8], factor,
                           (upper & 0x8000U) != 0 ? -kShift : kShift, y);
    }
}

void expandIQ1_M(const std::uint8_t* block, float* y)
{
    std::array<unsigned, 4> scales{};
    unsigned d = 0; // its nibbles are the upper ones of the four
    for (unsigned i = 0; i < 4; ++i)
    {
        scales[i] = loadAt<std::uint16_t>(block + 48 + 2 * i);
        d |= scales[i] >> 12 << (4 * i);
    }
    for (unsigned group = 0; group < 32; ++group)
    {
        const unsigned scale = scales[group / 8] >> (3 * (group / 2 % 4)) & 7U;
        const float factor = floatFromHalf(static_cast<std::uint16_t>(d)) * static_cast<float>(2 * scale + 1);
        const unsigned upper = block[32 + group / 2] >> (4 * (group % 2)) & 15U;
        y = putShifted(grid1()[block[group] | (upper & 7U) << 8], factor, (upper & 8U) != 0 ? -kShift : kShift, y);
    }
}

void expandIQ2_XXS(const std::uint8_t* block, float* y)
{
    static const auto grid = gridOf<256, 8>(kIQ2_XXS, kValues2);
    const float d = halfAt(block);
    for (const std::uint8_t* run = block + 2; run < block + 66; run += 8)
    {
        const auto signs = loadAt<std::uint32_t>(run + 4);
        const float factor = d * (0.5F + static_cast<float>(signs >> 28)) * 0.25F;
        for (int l = 0; l < 4; ++l)
            y = put(grid[run[l]], factor, eightSigns(signs >> (7 * l) & 127U), y);
    }
}

void expandIQ2_XS(const std::uint8_t* block, float* y)
{
    static const auto grid = gridOf<512, 8>(kIQ2_XS, kValues2);
    const float d = halfAt(block);
    for (int group = 0; group < 32; ++group)
    {
        const unsigned q = loadAt<std::uint16_t>(block + 2 + 2 * group);
        const unsigned scale = block[66 + group / 4] >> (4 * (group / 2 % 2)) & 15U;
        y = put(grid[q & 511U], d * (0.5F + static_cast<float>(scale)) * 0.25F, eightSigns(q >> 9), y);
    }
}

void expandIQ2_S(const std::uint8_t* block, float* y)
{
    static const auto grid = gridOf<1024, 8>(kIQ2_S, kValues2);
    const float d = halfAt(block);
    for (int group = 0; group < 32; ++group)
    {
        const unsigned upper = block[66 + group / 4] >> (2 * (group % 4)) & 3U;
        const unsigned scale = block[74 + group / 4] >> (4 * (group / 2 % 2)) & 15U;
        y = put(grid[block[2 + group] | upper << 8], d * (0.5F + static_cast<float>(scale)) * 0.25F, block[34 + group],
                y);
    }
}

void expandIQ3_XXS(const std::uint8_t* block, float* y)
{
    static const auto grid = gridOf<256, 4>(kIQ3_XXS, std::array<std::int8_t, 8>{4, 12, 20, 28, 36, 44, 52, 62});
    const float d = halfAt(block);
    for (int run = 0; run < 8; ++run)
    {
        const auto signs = loadAt<std::uint32_t>(block + 66 + 4 * run);
        const float factor = d * (0.5F + static_cast<float>(signs >> 28)) * 0.5F;
        for (int l = 0; l < 8; ++l)
            y = put(grid[block[2 + 8 * run + l]], factor, eightSigns(signs >> (7 * (l / 2)) & 127U) >> (4 * (l % 2)),
                    y);
    }
}

void expandIQ3_S(const std::uint8_t* block, float* y)
{
    static const auto grid = gridOf<512, 4>(kIQ3_S, std::array<std::int8_t, 8>{1, 3, 5, 7, 9, 11, 13, 15});
    const float d = halfAt(block);
    for (int group = 0; group < 64; ++group)
    {
        const unsigned upper = block[66 + group / 8] >> (group % 8) & 1U;
        const unsigned scale = block[106 + group / 16] >> (4 * (group / 8 % 2)) & 15U;
        const unsigned signs = block[74 + group / 2] >> (4 * (group % 2));
        y = put(grid[block[2 + group] | upper << 8], d * static_cast<float>(1 + 2 * scale), signs, y);
    }
}

} // namespace headscope
